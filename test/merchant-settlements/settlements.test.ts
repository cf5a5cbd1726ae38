import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lagosDay, startOfLagosDay } from '../../src/platform/clock.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { TEST_PIN } from '../support/base.ts';
import { brokenChecks } from '../support/proof.ts';
import { bearer } from '../support/world.ts';
import { DAY_SECONDS, type Settling, settling, work } from './fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

let shop: Settling;
beforeEach(async () => {
  shop = await settling(t);
});

interface Line {
  kind: string;
  amount: number;
  balance: number;
  settled: boolean;
}

const lineOf = ({ kind, amount, balance, settled }: Line) => [
  kind,
  amount.toFixed(2),
  balance.toFixed(2),
  settled ? 'yes' : 'no',
];

async function linesInFile(settlementId: string): Promise<string[][]> {
  const path = `/collection/settlement/${settlementId}/line.csv?columns=kind,amount,balance,settled`;
  const { text } = await t.call('GET', path, undefined, bearer(shop.merchant.secretKey));
  return parse(text, { bom: true }).slice(1);
}

describe('a daily settlement', () => {
  it('takes what was collected to the bank on the next working day, and explains net from gross to the kobo', async () => {
    await shop.set({ schedule: 'DAILY' });
    await shop.pay(5_000.5);
    await shop.pay(2_000.25);
    await shop.must('POST', '/sandbox/wallet/fund', { walletId: shop.walletId, amount: 900 });
    const settled = await shop.untilSettled();
    await work(t);
    const found = await shop.must('GET', `/collection/settlement/${settled.settlementId}`);
    expect(found).toMatchObject({ status: 'PAID', number: 1, trigger: 'DAILY', opening: 0, net: 7_000.75 });
    const kinds = Object.fromEntries(
      found.summary.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount]),
    );
    expect(kinds).toEqual({ PAYMENT: 7_000.75, FUNDING: 900 });
    expect(found.opening + 7_000.75 + 900).toBe(found.closing);
    expect(found.total).toBe(found.amount + found.fee + found.vat + found.stampDuty);
    expect(found.total + found.carriedOut).toBeCloseTo(found.net, 2);
    expect((await shop.balance()).booked).toBeCloseTo(7_900.75 - found.total, 2);
    const { records } = await shop.must('GET', `/collection/settlement/${settled.settlementId}/line`);
    expect(records.map(({ kind }: { kind: string }) => kind)).toEqual(['FUNDING', 'PAYMENT', 'PAYMENT']);
    expect(await linesInFile(settled.settlementId)).toEqual(records.toReversed().map(lineOf));
    const payout = await shop.must('GET', `/transaction/${found.payoutId}`);
    expect(JSON.stringify(payout)).toContain('"purpose":"SETTLEMENT"');
  });

  it('has each payment once: the next one begins where the last one ended', async () => {
    await shop.set({ schedule: 'DAILY' });
    await shop.pay(5_000);
    const first = await shop.untilSettled();
    await shop.pay(3_000);
    const second = await shop.untilSettled(2);
    expect(second).toMatchObject({ opening: first.closing, net: 3_000 });
    const kinds = second.summary.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['PAYMENT', 'SETTLEMENT']));
    const { records } = await shop.must('GET', `/collection/settlement/${second.settlementId}/line`);
    expect(records.some(({ amount, settled }: Line) => amount < 0 && !settled)).toBe(true);
    expect(await linesInFile(second.settlementId)).toEqual(records.toReversed().map(lineOf));
    await shop.advance(3 * DAY_SECONDS);
    expect(await shop.settlements()).toHaveLength(2);
  });

  it('has the merchant’s own reference as text in its file, also where that is of digits alone', async () => {
    await shop.set({ schedule: 'OFF' });
    await shop.pay(4_000);
    const payee = { bankCode: '058', accountNumber: '0123456785', narration: 'Rent' };
    const payout = { pin: TEST_PIN, amount: 100, reference: '0000123456789012', ...payee };
    await shop.must('POST', '/payout/single', payout);
    await work(t);
    const { settlementId } = await shop.must('POST', '/collection/settlement', { pin: TEST_PIN });
    const path = `/collection/settlement/${settlementId}/line.csv?columns=reference`;
    const { text } = await t.call('GET', path, undefined, bearer(shop.merchant.secretKey));
    expect(parse(text, { bom: true })).toContainEqual(['="0000123456789012"']);
  });

  it('leaves in the wallet what is to stay, and carries it to the next one', async () => {
    await shop.set({ schedule: 'DAILY', keepInWallet: 1_500 });
    await shop.pay(5_000);
    const first = await shop.untilSettled();
    expect(first.total).toBe(3_500);
    expect(first.carriedOut).toBe(1_500);
    await work(t);
    expect((await shop.balance()).available).toBe(1_500);
    await shop.pay(2_000);
    const second = await shop.untilSettled(2);
    expect(second).toMatchObject({ carriedIn: 1_500, net: 2_000, total: 2_000 });
  });

  it('may have no minimum and keep nothing back, as the page of the settings sends it', async () => {
    await shop.set({ schedule: 'DAILY', minimum: 5_000, keepInWallet: 200 });
    await shop.set({ schedule: 'DAILY', minimum: 0, keepInWallet: 0 });
    expect(await shop.must('GET', '/collection/settlement/settings')).toMatchObject({ minimum: 0, keepInWallet: 0 });
  });

  it('waits while the minimum is not reached, and then takes all of it', async () => {
    await shop.set({ schedule: 'DAILY', minimum: 6_000 });
    await shop.pay(4_000);
    await shop.advance(5 * DAY_SECONDS);
    expect(await shop.settlements()).toEqual([]);
    const { lastResult } = await shop.must('GET', '/collection/settlement/settings');
    expect(lastResult).toBe('BELOW_MINIMUM');
    await shop.pay(4_000);
    expect((await shop.untilSettled()).net).toBe(8_000);
  });

  it('says that a limit stands against it where that is below the minimum', async () => {
    await shop.set({ schedule: 'DAILY', minimum: 3_000 });
    expect((await shop.owner.call('PATCH', '/payout/limit', { perPayout: null, perDay: 2_000 })).status).toBe(200);
    await shop.pay(5_000);
    await shop.advance(5 * DAY_SECONDS);
    const { lastResult, lastResultWords } = await shop.must('GET', '/collection/settlement/settings');
    expect([lastResult, lastResultWords]).toEqual(['LIMIT_BELOW_MINIMUM', expect.stringContaining('limit')]);
  });

  it('settles no more than is available, however much was collected', async () => {
    await shop.set({ schedule: 'DAILY' });
    await shop.pay(9_000);
    const { subaccountId } = await shop.must('POST', '/subaccount', { name: 'Rent' });
    await shop.must('POST', '/subaccount/credit', { subaccountId, amount: 6_000, narration: 'Rent' });
    const settled = await shop.untilSettled();
    expect(settled.net).toBe(9_000);
    expect(settled.total).toBe(3_000);
    expect(settled.carriedOut).toBe(0);
  });
});

describe('the days of a sandbox whose time is moved forward', () => {
  it.each([0, 9, 23])('settle each payment on a later one, made at hour %i in Lagos', async (hour) => {
    const day = startOfLagosDay(lagosDay(t.clock.now())).getTime() + DAY_SECONDS * 1_000;
    t.clock.advance(day + hour * 3_600_000 + 600_000 - t.clock.now().getTime());
    // Whoever was signed in before is no more.
    shop = await settling(t);
    await shop.set({ schedule: 'DAILY' });
    for (const [number, amount] of [
      [1, 5_000],
      [2, 3_000],
    ] as const) {
      await shop.pay(amount);
      expect(await shop.untilSettled(number)).toMatchObject({ net: amount });
    }
  });
});

describe('an instant settlement', () => {
  it('takes the payments of a window together', async () => {
    await shop.set({ schedule: 'INSTANT' });
    await shop.pay(1_500);
    await shop.pay(1_500);
    await shop.advance(301);
    const [only, ...others] = await shop.settlements();
    expect(others).toEqual([]);
    expect(only).toMatchObject({ trigger: 'INSTANT', net: 3_000 });
    expect((await shop.must('GET', '/merchant/info')).autoInstantSettlement).toBe(true);
  });
});

describe('a settlement by hand', () => {
  it('takes what is there now, and of twenty at one moment one is made', async () => {
    await shop.set({ schedule: 'OFF' });
    await shop.pay(5_000);
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => shop.must('POST', '/collection/settlement', { pin: TEST_PIN })),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await work(t);
    expect(await shop.settlements()).toHaveLength(1);
    expect((await shop.settlements())[0]).toMatchObject({ status: 'PAID', trigger: 'BY_HAND' });
  });

  it('is refused before an owner has set settlements up, and where nothing was collected', async () => {
    await shop.pay(5_000);
    await expect(shop.must('POST', '/collection/settlement', { pin: TEST_PIN })).rejects.toThrow('NOT_SET_UP');
    const other = await settling(t);
    await other.set({ schedule: 'OFF' });
    await expect(other.must('POST', '/collection/settlement', { pin: TEST_PIN })).rejects.toThrow('NOTHING_DUE');
  });
});
