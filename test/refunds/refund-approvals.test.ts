import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  approve,
  type Business,
  balanceOf,
  business,
  createTestApp,
  expectBooksRight,
  reject,
  type TestApp,
} from '../approvals/approval-fixture.ts';
import { TEST_PIN } from '../support/base.ts';

let t: TestApp;
let shop: Business;

beforeAll(async () => {
  t = await createTestApp();
  shop = await business(t);
});
afterAll(async () => {
  await expectBooksRight(t);
  await t.close();
});

async function paid(amount: number): Promise<string> {
  const { byKey, merchant } = shop;
  const { body } = await byKey('GET', `/wallet/${merchant.walletId}/account`);
  const { accountNumber } = body.data.accounts[0];
  const payer = { accountNumber: '0690000031', bankName: 'Access Bank' };
  await byKey('POST', '/sandbox/collection/pay', { accountNumber, amount, payer });
  await t.app.worker.runOnce();
  const [payment] = (await byKey('GET', '/collection/payment')).body.data.records;
  return payment.paymentId;
}

describe('a refund that needs an approval', () => {
  it.each([
    ['PROVIDER', 'REFUND'],
    ['PAYOUT', 'PAYOUT'],
  ])(
    'by %s is held, leaves only after another person has said yes, and is free again after a no',
    async (way, kind) => {
      const paymentId = await paid(2_000);
      const before = await balanceOf(shop);
      const asked = await shop.byKey('POST', `/collection/payment/${paymentId}/refund`, {
        pin: TEST_PIN,
        amount: 500,
        way,
      });
      expect(asked.body.data, asked.text).toMatchObject({ status: 'PENDING_APPROVAL' });
      const { refundId, approvalId } = asked.body.data;
      const [waiting] = (await shop.byKey('GET', `/approval?status=PENDING`)).body.data.records;
      expect(waiting).toMatchObject({ approvalId, kind, amount: 500 });
      t.clock.advance(60_000);
      await t.app.worker.runOnce();
      expect((await balanceOf(shop)).booked).toBe(before.booked);
      expect((await balanceOf(shop)).available).toBeLessThanOrEqual(before.available - 500);
      const read = async (id: string) => (await shop.byKey('GET', `/collection/refund/${id}`)).body.data.refund;
      expect((await read(refundId)).status).toBe('PENDING_APPROVAL');
      expect((await approve(shop.ann, waiting)).status).toBe(200);
      for (let at = 0; at < 6; at += 1) {
        await t.app.worker.runOnce();
        t.clock.advance(6_000);
      }
      expect(await read(refundId)).toMatchObject({ status: 'SUCCESS', approvalId });

      const again = await shop.byKey('POST', `/collection/payment/${paymentId}/refund`, {
        pin: TEST_PIN,
        amount: 600,
        way,
      });
      const [second] = (await shop.byKey('GET', `/approval?status=PENDING`)).body.data.records;
      const held = await balanceOf(shop);
      expect((await reject(shop.ann, second)).status).toBe(200);
      await t.app.worker.runOnce();
      expect(await read(again.body.data.refundId)).toMatchObject({ status: 'CANCELLED', reason: 'APPROVAL_REJECTED' });
      expect((await balanceOf(shop)).available).toBeGreaterThanOrEqual(held.available + 600);
      const { refunds } = (await shop.byKey('GET', `/collection/payment/${paymentId}`)).body.data;
      expect(refunds).toEqual({ refundedAmount: 500, pendingAmount: 0, refundableAmount: 1_500 });
    },
  );
});
