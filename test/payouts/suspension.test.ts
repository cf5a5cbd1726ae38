import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendPayout } from '../../src/payout-delivery/call-payout.ts';
import { createFairSlots } from '../../src/payout-delivery/fair-slots.ts';
import { leasePayouts, PUT_OFF_MS } from '../../src/payout-delivery/lease-payouts.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import {
  createPayoutFixture,
  executed,
  items,
  type Merchant,
  type PayoutFixture,
  PIN,
  payment,
  railsOf,
  untilQuiet,
} from './payout-fixture.ts';
import { answerOf, NOT_FOUND, PAID, scriptedRail, UNKNOWN } from './scripted-rail.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

/** Every process has felt it when this returns. */
async function change(on: PayoutFixture, { tenant }: Merchant, status: 'SUSPENDED' | 'ACTIVE'): Promise<void> {
  await on.database.pool.query('update merchants set status = $1 where id = $2', [status, tenant.merchantId]);
  on.clock.advance(1_000);
}

async function dispatched(merchant: Merchant, count: number): Promise<string> {
  const made = await merchant.call('POST', '/payout/bulk', { items: items(count, { amount: 1_000 }) });
  const batchReference: string = made.body.data.batchReference;
  await fixture.worker.runOnce();
  await merchant.call('POST', '/payout/bulk/dispatch', { pin: PIN, batchReference });
  return batchReference;
}

const standOf = async (merchant: Merchant, batchReference: string) =>
  (await merchant.call('GET', `/payout/bulk/${batchReference}`)).body.data;

describe('a suspended merchant', () => {
  it('sends nothing that was accepted before, keeps its money held, and sends each once when that ends', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await dispatched(merchant, 40);
    await merchant.call('POST', '/payout/single', payment());
    const held = await merchant.balance();
    await change(fixture, merchant, 'SUSPENDED');
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toEqual([]);
    expect(await merchant.balance()).toEqual(held);
    await change(fixture, merchant, 'ACTIVE');
    fixture.clock.advance(PUT_OFF_MS);
    const other = await fixture.otherProcess();
    await Promise.all([fixture.worker, createPayoutWorker(other.deps)].map((worker) => worker.runOnce()));
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(41);
    // Keys are felt again by real time.
    await expect
      .poll(() => standOf(merchant, reference))
      .toMatchObject({ status: 'COMPLETED', payouts: { succeeded: 40 } });
    await other.close();
  });

  it('is asked about as ever where something had been sent', async () => {
    const merchant = await fixture.addMerchant();
    const made = await merchant.call('POST', '/payout/single', payment({ accountNumber: '0000999924' }));
    await fixture.worker.runOnce();
    await change(fixture, merchant, 'SUSPENDED');
    await untilQuiet(fixture);
    const { rows } = await fixture.database.pool.query('select status from transactions where id = $1', [
      made.body.data.transactionId,
    ]);
    expect(rows).toEqual([{ status: 'SUCCESS' }]);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it('holds nobody else up', async () => {
    const [merchant, another] = [await fixture.addMerchant(), await fixture.addMerchant()];
    await dispatched(merchant, 30);
    await change(fixture, merchant, 'SUSPENDED');
    await another.call('POST', '/payout/single', payment());
    await fixture.worker.runOnce();
    expect(await executed(fixture, another.tenant)).toHaveLength(1);
    expect(await executed(fixture, merchant.tenant)).toEqual([]);
  });
});

describe('a merchant that is suspended while a worker has its payouts in hand', () => {
  it('has those sent that the rail is being asked for, and no other', async () => {
    const rail = scriptedRail('slow', { concurrency: 2 });
    const own = await createPayoutFixture({ rails: railsOf(rail.caller) });
    const merchant = await own.addMerchant();
    for (let at = 0; at < 12; at += 1) await merchant.call('POST', '/payout/single', payment({ amount: 1_000 + at }));
    rail.delayMs = 500;
    const running = own.worker.runOnce();
    await expect.poll(() => rail.inFlight, { interval: 5 }).toBe(2);
    await change(own, merchant, 'SUSPENDED');
    await running;
    const sent = rail.sends.length;
    expect(sent).toBeLessThan(12);
    await untilQuiet(own);
    expect(rail.sends).toHaveLength(sent);
    await change(own, merchant, 'ACTIVE');
    own.clock.advance(PUT_OFF_MS);
    rail.delayMs = 0;
    await own.worker.runOnce();
    expect(new Set(rail.sends.map((send) => send.railReference)).size).toBe(12);
    expect(rail.sends).toHaveLength(12);
    await own.close();
  });

  it('has nothing sent that waits for its turn at the rail behind a question about another', async () => {
    const rail = scriptedRail('asked', { concurrency: 1 });
    const own = await createPayoutFixture({ rails: railsOf(rail.caller) });
    const merchant = await own.addMerchant();
    await merchant.call('POST', '/payout/single', payment());
    const answered = Promise.withResolvers<void>();
    rail.rail.query = () => answered.promise.then(() => answerOf(NOT_FOUND));
    const account = { bankCode: '058', accountNumber: '0123456785' };
    const other = { tenant: merchant.tenant, railReference: 'x', amountMinor: 1n, currency: 'NGN', ...account };
    const asking = rail.caller.query(other);
    const [leased] = await leasePayouts(own.deps, merchant.tenant, 1);
    const sending = sendPayout(own.deps, leased!, createFairSlots());
    await expect.poll(() => leased!.asked).toBe(true);
    await change(own, merchant, 'SUSPENDED');
    answered.resolve();
    await Promise.all([asking, sending]);
    expect(rail.sends).toEqual([]);
    await change(own, merchant, 'ACTIVE');
    await own.worker.runOnce();
    expect(rail.sends).toHaveLength(1);
    await own.close();
  });

  it('is not sent for again where the rail never heard of it, until that ends', async () => {
    const rail = scriptedRail('deaf');
    rail.send = UNKNOWN;
    rail.query = NOT_FOUND;
    const own = await createPayoutFixture({ rails: railsOf(rail.caller) });
    const merchant = await own.addMerchant();
    await merchant.call('POST', '/payout/single', payment());
    await own.worker.runOnce();
    await change(own, merchant, 'SUSPENDED');
    await untilQuiet(own);
    expect(rail.sends).toHaveLength(1);
    await change(own, merchant, 'ACTIVE');
    rail.send = PAID;
    await untilQuiet(own);
    expect(rail.sends).toHaveLength(2);
    await own.close();
  });
});
