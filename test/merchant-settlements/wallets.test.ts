import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { type SettlementDeps, settleDue } from '../../src/merchant-settlements/index.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { TEST_PIN } from '../support/base.ts';
import { brokenChecks } from '../support/proof.ts';
import { childOf, DAY_SECONDS, type Settling, type SettlingChild, settling, work } from './fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

let shop: Settling;
let ikeja: SettlingChild;
beforeEach(async () => {
  shop = await settling(t);
  ikeja = await childOf(shop, 'Ikeja');
});

const turnsUntil = async (count: number) => {
  for (let turns = 0; turns < 7 && (await shop.settlements()).length < count; turns += 1) await shop.nextTurn();
  return shop.settlements();
};

describe('what a store collects', () => {
  it('stays in the store while no owner has said otherwise', async () => {
    await shop.set({ schedule: 'DAILY' });
    await ikeja.pay(5_000);
    await shop.advance(5 * DAY_SECONDS);
    expect(await shop.settlements()).toEqual([]);
    expect(await ikeja.balance()).toBe(5_000);
  });

  it('goes to the bank by a settlement of its own, with a report of its own, when the main wallet has its turn', async () => {
    await shop.set({ schedule: 'DAILY' });
    await ikeja.set({ keepInWallet: 500 });
    await ikeja.pay(5_000);
    await shop.pay(2_000);
    const both = await turnsUntil(2);
    expect(both).toHaveLength(2);
    const own = both.find(({ walletId }) => walletId === ikeja.walletId);
    expect(own).toMatchObject({ net: 5_000, total: 4_500, carriedOut: 500, accountNumber: '0123456785' });
    expect(both.find(({ walletId }) => walletId === shop.walletId)).toMatchObject({ net: 2_000 });
    await work(t);
    expect(await ikeja.balance()).toBe(500);
    const { records } = await shop.must('GET', `/collection/settlement?walletId=${ikeja.walletId}`);
    expect(records.map(({ settlementId }: { settlementId: string }) => settlementId)).toEqual([own.settlementId]);
    const lines = await shop.must('GET', `/collection/settlement/${own.settlementId}/line`);
    expect(lines.records.map(({ kind }: { kind: string }) => kind)).toEqual(['PAYMENT']);
    const [set] = (await shop.must('GET', '/collection/settlement/wallet')).records;
    expect(set).toMatchObject({ walletId: ikeja.walletId, settled: true, lastSettlementId: own.settlementId });
    const payout = await shop.must('GET', `/transaction/${own.payoutId}`);
    expect(JSON.stringify(payout)).toContain(ikeja.walletId);
  });

  it('is in one settlement each: the next one of the store begins where its last one ended', async () => {
    await shop.set({ schedule: 'DAILY' });
    await ikeja.set({});
    await ikeja.pay(5_000);
    const [first] = await turnsUntil(1);
    await ikeja.pay(3_000);
    const [second] = await turnsUntil(2);
    expect(second).toMatchObject({ walletId: ikeja.walletId, opening: first.closing, net: 3_000, number: 2 });
    await shop.advance(3 * DAY_SECONDS);
    expect(await shop.settlements()).toHaveLength(2);
  });

  it('is back in the store where the bank returns it, and goes again', async () => {
    await shop.owner.call('PATCH', '/onboarding/settlement-account', { bankCode: '058', accountNumber: '0009999935' });
    await shop.set({ schedule: 'DAILY' });
    await ikeja.set({});
    await ikeja.pay(5_000);
    await turnsUntil(1);
    await work(t);
    t.clock.advance(60_000);
    await work(t);
    expect((await shop.settlements())[0]).toMatchObject({ status: 'FAILED', reason: 'RETURNED_BY_BANK' });
    expect(await ikeja.balance()).toBe(5_000);
    expect((await shop.balance()).booked).toBe(0);
    await shop.advance(5 * DAY_SECONDS);
    expect((await shop.settlements())[0]).toMatchObject({ attempts: 2, walletId: ikeja.walletId });
  });

  it('is settled by hand by one of twenty at one moment but for what stays, and not where it was never set up', async () => {
    await shop.set({ schedule: 'OFF' });
    await ikeja.pay(5_000);
    const settle = () => shop.must('POST', '/collection/settlement', { walletId: ikeja.walletId, pin: TEST_PIN });
    await expect(settle()).rejects.toThrow('NOT_SET_UP');
    await ikeja.set({ keepInWallet: 1_000 });
    const all = await Promise.allSettled(Array.from({ length: 20 }, settle));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await ikeja.balance()).toBe(1_000);
    await ikeja.set({ settled: false });
    await expect(settle()).rejects.toThrow('NOT_SET_UP');
  });

  it('is said to be settled by an owner alone, and of a store of the same merchant', async () => {
    const other = await settling(t);
    const path = `/collection/settlement/wallet/${ikeja.walletId}`;
    await other.owner.refresh();
    const strange = await other.owner.call('PATCH', path, { pin: TEST_PIN });
    expect(strange.body.code).toBe('WALLET_NOT_FOUND');
    await shop.owner.refresh();
    const main = await shop.owner.call('PATCH', `/collection/settlement/wallet/${shop.walletId}`, { pin: TEST_PIN });
    expect(main.body.code).toBe('VALIDATION_FAILED');
    await expect(shop.must('PATCH', path, { pin: TEST_PIN })).rejects.toThrow();
  });
});

/** Workers of several processes at one moment. */
const workersOf = (count: number): SettlementDeps[] =>
  Array.from({ length: count }, () => createContainer({ ...t, logger: createLogger('silent') }));

describe('stores and subaccounts of one merchant', () => {
  it('are settled once each, however many workers have their turn at one moment', async () => {
    const children = [ikeja, await childOf(shop, 'Yaba'), await childOf(shop, 'Rent', 'subaccount')];
    await shop.set({ schedule: 'INSTANT' });
    for (const child of children) await child.set({});
    for (let round = 1; round <= 3; round += 1) {
      for (const child of children) await child.pay(2_000);
      await shop.must('POST', '/sandbox/clock/advance', { seconds: 301 });
      await Promise.all(workersOf(6).map((deps) => settleDue(deps, 'SANDBOX')));
      await work(t);
      expect(await shop.settlements()).toHaveLength(3 * round);
    }
    const numbers = (await shop.settlements()).map(({ number }) => number);
    expect(numbers).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await Promise.all(children.map((child) => child.balance()))).toEqual([0, 0, 0]);
  });

  it('fail alone: one whose money is gone stops neither the other nor the main wallet', async () => {
    const yaba = await childOf(shop, 'Yaba');
    await shop.set({ schedule: 'DAILY' });
    for (const child of [ikeja, yaba]) await child.set({});
    await ikeja.pay(5_000);
    await yaba.pay(4_000);
    await shop.pay(3_000);
    await shop.must('POST', '/branch/store/debit', {
      storeId: ikeja.id,
      amount: 4_900,
      narration: 'To the main wallet',
      pin: TEST_PIN,
    });
    await turnsUntil(2);
    const settled = await shop.settlements();
    expect(new Set(settled.map(({ walletId }) => walletId))).toEqual(new Set([yaba.walletId, shop.walletId]));
    const { records } = await shop.must('GET', '/collection/settlement/wallet');
    const found = records.find(({ walletId }: { walletId: string }) => walletId === ikeja.walletId);
    expect(found).toMatchObject({ lastResult: 'BALANCE_TOO_LOW', lastSettlementId: null });
  });
});

describe('what stays in a wallet', () => {
  it('is decided under its lock: what moved after the plan is not taken from what stays', async () => {
    await shop.set({ schedule: 'INSTANT', keepInWallet: 1_500 });
    await shop.pay(9_000);
    const { subaccountId } = await shop.must('POST', '/subaccount', { name: 'Rent' });
    const deps = createContainer({ ...t, logger: createLogger('silent') });
    let moved = 0;
    const commit: SettlementDeps['ledger']['commit'] = async (movement) => {
      // Ten at once, between the plan of a settlement and its commit, the first two times.
      const isSettlement = movement.events?.some(({ type }) => type === 'merchant_settlement.processing') ?? false;
      if (isSettlement && moved < 20) {
        const some = Array.from({ length: 10 }, () =>
          shop.must('POST', '/subaccount/credit', { subaccountId, amount: 100, narration: 'Rent' }),
        );
        moved += (await Promise.all(some)).length;
      }
      return deps.ledger.commit(movement);
    };
    await shop.must('POST', '/sandbox/clock/advance', { seconds: 301 });
    await settleDue({ ...deps, ledger: { ...deps.ledger, commit } }, 'SANDBOX');
    expect(moved).toBe(20);
    const [settled, ...others] = await shop.settlements();
    expect(others).toEqual([]);
    expect(settled).toMatchObject({ net: 9_000, total: 5_500 });
    expect((await shop.balance()).available).toBe(1_500);
  });
});
