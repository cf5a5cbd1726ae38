import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenChecks } from '../support/proof.ts';
import { createRefundFixture, type RefundFixture } from './refund-fixture.ts';

let fixture: RefundFixture;

beforeAll(async () => {
  fixture = await createRefundFixture();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

const scenario = (name: string) => ({ 'x-sandbox-scenario': name });

describe('a refund by the provider', () => {
  it('holds its amount first, and takes it once the provider has sent it', async () => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000);
    const asked = await merchant.refund(paymentId, { amount: 400.5, note: 'Order 12 was cancelled', reference: 'R-1' });
    expect(asked.status, asked.text).toBe(200);
    expect(asked.body.data).toMatchObject({ status: 'QUEUED', way: 'PROVIDER', amount: 400.5, conclusive: false });
    expect(await merchant.balance()).toEqual({ booked: 100_000, available: 59_950 });
    expect(await merchant.left(paymentId)).toEqual({ refundedAmount: 0, pendingAmount: 400.5, refundableAmount: 599.5 });
    await fixture.work();
    expect(await merchant.read(asked.body.data.refundId)).toMatchObject({ status: 'SUCCESS', conclusive: true });
    expect(await merchant.balance()).toEqual({ booked: 59_950, available: 59_950 });
    expect(await merchant.left(paymentId)).toEqual({ refundedAmount: 400.5, pendingAmount: 0, refundableAmount: 599.5 });
  });

  it.each([
    ['refund-success', 'SUCCESS'],
    ['refund-pending-then-processed', 'SUCCESS'],
    ['refund-timeout-not-executed', 'SUCCESS'],
    ['refund-timeout-executed', 'SUCCESS'],
    ['refund-unlisted-status', 'SUCCESS'],
    ['refund-pending-then-failed', 'FAILED'],
    ['refund-refused', 'FAILED'],
    ['refund-pending-forever', 'PROCESSING'],
    ['refund-other-amount', 'PROCESSING'],
    ['refund-needs-details', 'NEEDS_DETAILS'],
  ])('that plays %s ends as %s, with the money where that says', async (name, status) => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000);
    const { body } = await merchant.refund(paymentId, {}, scenario(name));
    await fixture.work(180);
    expect((await merchant.read(body.data.refundId)).status).toBe(status);
    const booked = status === 'SUCCESS' ? 0 : 100_000;
    const available = status === 'FAILED' ? 100_000 : 0;
    expect(await merchant.balance()).toEqual({ booked, available });
    expect((await merchant.left(paymentId)).refundableAmount).toBe(status === 'FAILED' ? 1_000 : 0);
  });
});
