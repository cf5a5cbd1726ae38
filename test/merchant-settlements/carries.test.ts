import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planSettlement } from '../../src/merchant-settlements/plan-settlement.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { containerOf, TEST_PIN } from '../support/base.ts';
import { brokenChecks } from '../support/proof.ts';
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
  await t.database.pool.query('update merchants set is_refund_enabled = true where id = $1', [
    shop.merchant.merchantId,
  ]);
  await shop.set({ schedule: 'OFF' });
});

const PAYER = { accountNumber: '0690000031', bankName: 'Access Bank Plc' };
const EMPTY = { booked: 0, available: 0 };

/** @returns the payment's id */
async function paid(amount: number): Promise<string> {
  const { accounts } = await shop.must('GET', `/wallet/${shop.walletId}/account`);
  const { accountNumber } = accounts[0];
  await shop.must('POST', '/sandbox/collection/pay', { accountNumber, amount, payer: PAYER, scenario: 'paid' });
  await work(t);
  const { records } = await shop.must('GET', '/collection/payment?size=1');
  return records[0].paymentId;
}

/** By hand. */
async function settle() {
  const made = await shop.must('POST', '/collection/settlement', { pin: TEST_PIN });
  await work(t);
  return made;
}

/** What would be settled of what was booked before a moment. */
const planUntil = (cutOff: Date) =>
  planSettlement(containerOf(t as never), {
    tenant: { merchantId: shop.merchant.merchantId, mode: 'SANDBOX' },
    walletId: shop.walletId,
    schedule: { first_sequence: 0n, first_balance_minor: 0n },
    settings: { minimum_minor: 0n, keep_minor: 0n },
    rule: { minimumMinor: 1n },
    cutOff,
  });

const refund = (paymentId: string, asked: object, scenario: string) =>
  shop.must(
    'POST',
    `/collection/payment/${paymentId}/refund`,
    { pin: TEST_PIN, ...asked },
    { 'x-sandbox-scenario': scenario, 'idempotency-key': `${paymentId}/refund` },
  );

describe('what a settlement leaves in the wallet', () => {
  it('has what an open dispute holds, which is taken of the next one once', async () => {
    const disputed = await paid(10_000);
    await paid(5_000);
    await shop.must('POST', '/sandbox/collection/dispute', {
      paymentId: disputed,
      scenario: 'lost',
      answerWithinSeconds: 5 * DAY_SECONDS,
    });
    await work(t);
    expect(await settle()).toMatchObject({ net: 15_000, total: 5_000, carriedOut: 10_000 });
    const { records } = await shop.must('GET', '/collection/dispute');
    await shop.must('POST', `/collection/dispute/${records[0].disputeId}/accept`, { pin: TEST_PIN });
    await shop.advance(60);
    expect((await shop.balance()).booked).toBe(0);
    await paid(20_000);
    expect(await settle()).toMatchObject({ carriedIn: 10_000, net: 10_000, total: 20_000, carriedOut: 0 });
    expect(await shop.balance()).toEqual(EMPTY);
  });

  it('has what a refund holds that fails later, and that goes without another payment', async () => {
    const payment = await paid(10_000);
    await paid(5_000);
    await refund(payment, { amount: 8_000 }, 'refund-pending-then-failed');
    expect(await settle()).toMatchObject({ net: 15_000, total: 7_000, carriedOut: 8_000 });
    for (let days = 0; days < 2; days += 1) await shop.advance(DAY_SECONDS);
    expect(await settle()).toMatchObject({ carriedIn: 8_000, total: 8_000, carriedOut: 0 });
    expect(await shop.balance()).toEqual(EMPTY);
  });

  it('has what a payout holds that is a refund, with its charges', async () => {
    const payment = await paid(10_000);
    await paid(5_000);
    await refund(payment, { amount: 8_000, way: 'PAYOUT' }, 'pending-then-success');
    const before = await shop.balance();
    const held = before.booked - before.available;
    expect(held).toBeGreaterThan(8_000);
    const first = await settle();
    expect(first.carriedOut).toBeCloseTo(held, 2);
    for (let days = 0; days < 2; days += 1) await shop.advance(DAY_SECONDS);
    await paid(20_000);
    expect(await settle()).toMatchObject({ total: 20_000, carriedOut: 0 });
    expect(await shop.balance()).toEqual(EMPTY);
  });

  it('has what a refund took behind the last entry that it counts', async () => {
    const payment = await paid(10_000);
    await paid(5_000);
    // As a day ends, and a refund is made in the night before it is settled.
    t.clock.advance(10 * 60_000);
    const cutOff = t.clock.now();
    t.clock.advance(10 * 60_000);
    await refund(payment, { amount: 8_000 }, 'refund-success');
    await work(t);
    expect(await shop.balance()).toEqual({ booked: 7_000, available: 7_000 });
    expect(await planUntil(cutOff)).toMatchObject({ netMinor: 1_500_000n, carriedOutMinor: 800_000n });
  });

  it('is not less than nothing where more came in behind the last entry that it counts', async () => {
    await paid(10_000);
    const { subaccountId } = await shop.must('POST', '/subaccount', { name: 'Rent' });
    await shop.must('POST', '/subaccount/credit', { subaccountId, amount: 6_000, narration: 'Rent' });
    t.clock.advance(10 * 60_000);
    const cutOff = t.clock.now();
    t.clock.advance(10 * 60_000);
    await paid(3_000);
    expect(await shop.balance()).toEqual({ booked: 7_000, available: 7_000 });
    expect(await planUntil(cutOff)).toMatchObject({ netMinor: 1_000_000n, carriedOutMinor: 0n });
  });

  it('has nothing of what the merchant spent or holds for a payout of its own', async () => {
    await paid(15_000);
    const own = { amount: 4_000, bankCode: '058', accountNumber: '0123456785', narration: 'Rent', pin: TEST_PIN };
    await shop.must('POST', '/payout/single', own, { 'x-sandbox-scenario': 'pending-forever' });
    const { subaccountId } = await shop.must('POST', '/subaccount', { name: 'Rent' });
    await shop.must('POST', '/subaccount/credit', { subaccountId, amount: 3_000, narration: 'Rent' });
    const { available } = await shop.balance();
    expect(available).toBeLessThan(8_001);
    expect(await settle()).toMatchObject({ net: 15_000, total: available, carriedOut: 0 });
  });
});
