import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideOnboarding } from '../../src/onboarding/index.ts';
import { addRail, setDefaultRails } from '../../src/rail-accounts/index.ts';
import { setWalletProvider } from '../../src/virtual-accounts/index.ts';
import { fillEverything } from '../onboarding/upload.ts';
import {
  ACCOUNTS,
  LIVE_SECRET_KEY,
  type PaystackServer,
  startPaystackServer,
} from '../rails/providers/paystack-server.ts';
import { bearerOf, createTestApp, type TestApp } from '../support/app.ts';
import { inject, TEST_PIN } from '../support/base.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { work } from './fixture.ts';

const RAIL = 'paystack-live';
const DAY_MS = 86_400_000;

let t: TestApp;
let provider: PaystackServer;
let operator: TestPerson;
beforeAll(async () => {
  t = await createTestApp();
  t.clock.advance(nextTuesday(t.clock.now()).getTime() - t.clock.now().getTime());
  // Whatever day it is when this runs, its days are working days.
  await t.database.pool.query('delete from bank_holidays');
  provider = await startPaystackServer({ isLive: true });
  await addRail(t, {
    name: RAIL,
    provider: 'paystack',
    mode: 'LIVE',
    credentials: JSON.stringify({ secretKey: LIVE_SECRET_KEY }),
    baseUrl: provider.baseUrl,
    openToMerchants: false,
    replace: false,
    check: false,
  });
  await setDefaultRails(t, { mode: 'LIVE', first: RAIL, second: null });
  await setWalletProvider(t, { mode: 'LIVE', name: RAIL, preferredBank: null });
  t.clock.advance(5_000);
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
  await provider.close();
});

/** At noon in Lagos: the two days after it are working days. */
function nextTuesday(now: Date): Date {
  const day = new Date(`${now.toISOString().slice(0, 10)}T11:00:00Z`);
  do day.setUTCDate(day.getUTCDate() + 1);
  while (day.getUTCDay() !== 2);
  return day;
}

/** A merchant in live mode whose settlement account was reviewed, with a number at the provider. */
async function approved(accountNumber: string) {
  const merchant = await t.addMerchant({ mode: 'LIVE', approved: false, name: 'Kolanut Traders' });
  const { merchantId } = merchant;
  const owner = await signedInMember(t, merchantId, 'OWNER', 'LIVE');
  await fillEverything(t, owner);
  const given = await owner.call('PATCH', '/onboarding/settlement-account', { bankCode: '058', accountNumber });
  if (given.status !== 200) throw new Error(given.text);
  await owner.call('POST', '/onboarding/submit');
  operator = await signedInOperator(t);
  await decideOnboarding(t, 'approve', { merchantId, actor: operator.email });
  await operator.refresh();
  const service = await operator.call('POST', `/operator/merchant/${merchantId}/service`, {
    key: 'COLLECTION',
    enabled: true,
  });
  if (service.status !== 200) throw new Error(service.text);
  t.clock.advance(5_000);
  const must = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const reply = await inject(t.app.server, method, path, body, bearerOf(merchant));
    if (reply.body?.status !== true) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body.data;
  };
  const { wallet } = await must('GET', '/wallet/merchant');
  await pass(60_000);
  const { rows } = await t.database.pool.query('select account_number from receiving_numbers where merchant_id = $1', [
    merchantId,
  ]);
  const [number] = rows as { account_number: string }[];
  const pay = async (amountMinor: bigint) => {
    const credit = provider.wallets.books.deposit({
      accountNumber: number?.account_number ?? '',
      amountMinor,
      at: t.clock.now(),
    });
    const { headers, rawBody } = provider.signed(provider.wallets.chargeSuccess(credit));
    const path = `/rail/live/${RAIL}/webhook`;
    const reply = await inject(t.app.server, 'POST', path, rawBody.toString(), headers as Record<string, string>);
    if (reply.status !== 200) throw new Error(reply.text);
    await pass(60_000);
  };
  const set = async (settings: object) => {
    await owner.refresh();
    const reply = await owner.call('PATCH', '/collection/settlement/settings', { ...settings, pin: TEST_PIN });
    if (reply.status !== 200) throw new Error(reply.text);
  };
  return { merchantId, walletId: wallet.id, must, pay, set };
}

async function pass(ms: number): Promise<void> {
  t.clock.advance(ms);
  for (let round = 0; round < 3; round += 1) {
    await work(t);
    t.clock.advance(10_000);
  }
}

const transfersTo = (accountNumber: string) =>
  [...provider.transfers.values()].filter(({ recipient }) => recipient.accountNumber === accountNumber);

/** Until a time of the next day in Lagos, minute by minute at the end. */
const untilNextDay = (time: string) => {
  const day = new Date(t.clock.now().getTime() + DAY_MS).toISOString().slice(0, 10);
  return pass(new Date(`${day}T${time}:00+01:00`).getTime() - t.clock.now().getTime());
};

let plain: Awaited<ReturnType<typeof approved>>;

describe('a settlement of live money', () => {
  it('goes out by the live rail to the account that was reviewed, once', async () => {
    const shop = await approved(ACCOUNTS.plain);
    plain = shop;
    await shop.set({ schedule: 'DAILY', timeOfDay: '08:00' });
    await shop.pay(5_000_00n);
    await untilNextDay('08:01');
    await pass(60_000);
    const [settled, ...others] = (await shop.must('GET', '/collection/settlement')).records;
    expect(others).toEqual([]);
    expect(settled).toMatchObject({ status: 'PAID', mode: 'LIVE', net: 5_000, accountNumber: ACCOUNTS.plain });
    const [transfer, ...more] = transfersTo(ACCOUNTS.plain);
    expect(more).toEqual([]);
    expect(transfer?.amountMinor).toBe(BigInt(Math.round(settled.amount * 100)));
  });

  it('that the rail fails is held back and shown, and goes again on the next working day and not before', async () => {
    const shop = await approved(ACCOUNTS.failed);
    await shop.set({ schedule: 'DAILY', timeOfDay: '08:00' });
    await shop.pay(5_000_00n);
    await untilNextDay('08:01');
    await pass(60_000);
    const [failed] = (await shop.must('GET', '/collection/settlement')).records;
    expect(failed).toMatchObject({ status: 'FAILED', attempts: 1, conclusive: false });
    expect(failed.reason).not.toBeNull();
    expect(failed.tryAgainAt).toMatch(/T07:00:00/);
    const { wallet } = await shop.must('GET', '/wallet/merchant');
    expect(wallet.availableBalance).toBe(5_000);
    operator = await signedInOperator(t);
    const shown = await operator.call('GET', '/operator/merchant-settlement?mode=LIVE&state=FAILED');
    const mine = shown.body.data.records.find((row: { merchantId: string }) => row.merchantId === shop.merchantId);
    expect(mine, shown.text).toMatchObject({ failed: 1 });
    const before = transfersTo(ACCOUNTS.failed).length;
    expect(before).toBe(1);
    for (let times = 0; times < 4; times += 1) await pass(5 * 60 * 60_000);
    expect(transfersTo(ACCOUNTS.failed)).toHaveLength(before);
    await pass(new Date(failed.tryAgainAt).getTime() - t.clock.now().getTime() + 60_000);
    await pass(60_000);
    const [again, ...others] = (await shop.must('GET', '/collection/settlement')).records;
    expect(others).toEqual([]);
    expect(again).toMatchObject({ number: 1, attempts: 2, amount: failed.amount });
    expect(transfersTo(ACCOUNTS.failed)).toHaveLength(before + 1);
  });

  it('is one for the last working day, where no worker ran for days', async () => {
    await plain.pay(3_000_00n);
    t.clock.advance(7 * DAY_MS);
    await pass(60_000);
    const [last, ...others] = (await plain.must('GET', '/collection/settlement')).records;
    expect(others).toHaveLength(1);
    expect(last).toMatchObject({ number: 2, net: 3_000 });
    // A weekend at most is behind it.
    const agoMs = t.clock.now().getTime() - new Date(`${last.businessDay}T07:00:00Z`).getTime();
    expect([agoMs > 0, agoMs < 4 * DAY_MS]).toEqual([true, true]);
  });
});
