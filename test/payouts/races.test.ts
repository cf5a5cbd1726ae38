import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBatchDeps } from '../../src/batches/deps.ts';
import { dispatchBatch } from '../../src/batches/dispatch-batch.ts';
import { updateItem } from '../../src/batches/update-item.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import { noPerson } from './batch-fixture.ts';
import {
  createPayoutFixture,
  executed,
  items,
  type Merchant,
  type PayoutFixture,
  PIN,
  untilQuiet,
} from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

async function readyBatch(merchant: Merchant, count: number) {
  const made = await merchant.call('POST', '/payout/bulk', { items: items(count, { amount: 1_000 }) });
  const reference: string = made.body.data.batchReference;
  await fixture.worker.runOnce();
  const page = await merchant.call('GET', `/payout/bulk/${reference}/item`);
  return { reference, itemIds: page.body.data.records.map((one: { id: string }) => one.id) as string[] };
}

async function heldMinor(merchant: Merchant): Promise<bigint> {
  const { bookedMinor, availableMinor } = await merchant.balance();
  return bookedMinor - availableMinor;
}

describe('at the same moment', () => {
  it('fifty dispatches dispatch once', async () => {
    const merchant = await fixture.addMerchant();
    const { reference } = await readyBatch(merchant, 5);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        merchant.call(
          'POST',
          '/payout/bulk/dispatch',
          { pin: PIN, batchReference: reference },
          at % 2 === 0 ? {} : { 'idempotency-key': `dispatch-${at}` },
        ),
      ),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    const codes = new Set(replies.filter((reply) => reply.status !== 200).map((reply) => reply.body.code));
    expect(codes).toEqual(new Set(['BATCH_ALREADY_DISPATCHED']));
    // Five times 1,000 and 10.75.
    expect(await heldMinor(merchant)).toBe(505_375n);
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(5);
  });

  it('dispatches from two processes dispatch once', async () => {
    const merchant = await fixture.addMerchant();
    const other = await fixture.otherProcess();
    const { reference } = await readyBatch(merchant, 3);
    const processes = [fixture.deps, other.deps].map(createBatchDeps);
    const input = {
      tenant: merchant.tenant,
      batchReference: reference,
      skipInvalid: false,
      maker: noPerson(merchant),
      idempotency: undefined,
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => dispatchBatch(processes[at % 2]!, input)),
    );
    expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason.code).toBe('BATCH_ALREADY_DISPATCHED');
    expect(await heldMinor(merchant)).toBe(303_225n);
    await other.close();
  });

  it('a dispatch pays exactly what it read, whatever another process changes meanwhile', async () => {
    const other = await fixture.otherProcess();
    const here = createBatchDeps(fixture.deps);
    const there = createBatchDeps(other.deps);
    let correctedFirst = 0;
    for (let round = 0; round < 15; round += 1) {
      const merchant = await fixture.addMerchant();
      const { reference, itemIds } = await readyBatch(merchant, 2);
      const input = {
        tenant: merchant.tenant,
        batchReference: reference,
        skipInvalid: false,
        maker: noPerson(merchant),
        idempotency: undefined,
      };
      const [corrected, dispatched] = await Promise.allSettled([
        updateItem(there, {
          tenant: merchant.tenant,
          itemId: itemIds[0]!,
          changes: { amount: 2_000 },
          idempotency: undefined,
        }),
        // The spread of starts lets each of the two come first in some rounds.
        new Promise((resolve) => setTimeout(resolve, round % 5)).then(() => dispatchBatch(here, input)),
      ]);
      if (corrected.status === 'rejected') expect(corrected.reason.code).toBe('BATCH_ALREADY_DISPATCHED');
      if (dispatched.status === 'rejected') expect(dispatched.reason.code).toBe('BATCH_CHANGED');
      const expected = corrected.status === 'fulfilled' ? 302_150n : 202_150n;
      expect(await heldMinor(merchant)).toBe(dispatched.status === 'fulfilled' ? expected : 0n);
      if (corrected.status === 'fulfilled') correctedFirst += 1;
    }
    expect(correctedFirst).toBeGreaterThan(0);
    await other.close();
  });

  it('three workers in three processes send every payout once', async () => {
    const merchant = await fixture.addMerchant();
    const others = [await fixture.otherProcess(), await fixture.otherProcess()];
    const { reference } = await readyBatch(merchant, 200);
    await merchant.call('POST', '/payout/bulk/dispatch', { pin: PIN, batchReference: reference });
    const workers = [fixture.worker, ...others.map((other) => createPayoutWorker(other.deps))];
    await Promise.all(workers.map((worker) => worker.runOnce()));
    expect(await executed(fixture, merchant.tenant)).toHaveLength(200);
    const summary = await merchant.call('GET', `/payout/bulk/${reference}`);
    expect(summary.body.data).toMatchObject({ status: 'COMPLETED', payouts: { succeeded: 200 } });
    const { rows } = await fixture.database.pool.query(
      'select kind, count(*)::int as attempts from payout_attempts where merchant_id = $1 group by kind',
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ kind: 'SEND', attempts: 200 }]);
    await Promise.all(others.map((other) => other.close()));
  });
});
