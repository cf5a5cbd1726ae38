import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendDuePayouts } from '../../src/payout-delivery/due-payouts.ts';
import { brokenChecks } from '../support/proof.ts';
import { createRefundFixture, FROM_ACCESS, type RefundFixture } from './refund-fixture.ts';

let fixture: RefundFixture;
beforeAll(async () => {
  fixture = await createRefundFixture();
});
afterAll(() => fixture.close());

it('a refund by payout waits for a lease: only then does the guard see which payment it returns', async () => {
  const merchant = await fixture.addMerchant();
  const paymentId = await merchant.pay(1_000, FROM_ACCESS);
  await merchant.pay(500);
  const source = sendDuePayouts(fixture.container);
  source.start?.();
  fixture.container.newLeases = source.newLeases;
  expect(await merchant.refund(paymentId, { amount: 400, way: 'PAYOUT' })).toMatchObject({ status: 200 });
  await source.settle();
  const payouts = `select t.status, p.lease_id, p.attempts, (select count(*)::int from payout_attempts a where a.merchant_id = p.merchant_id and a.payout_id = p.id) as calls
                     from payouts p join transactions t on t.merchant_id = p.merchant_id and t.id = p.id where p.merchant_id = $1`;
  const asked = () => fixture.database.pool.query(payouts, [merchant.merchantId]);
  expect((await asked()).rows).toEqual([{ status: 'QUEUED', lease_id: null, attempts: 0, calls: 0 }]);
  await fixture.work();
  expect((await asked()).rows).toEqual([{ status: 'SUCCESS', lease_id: null, attempts: 1, calls: 1 }]);
  expect(await brokenChecks(fixture.database)).toEqual([]);
});
