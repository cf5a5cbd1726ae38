import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { dueChunks } from '../../src/batches/expand-chunks.ts';
import type { PayoutDeps } from '../../src/payouts/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import {
  dispatchOf,
  expectCountersToBeTrue,
  heldMinor,
  minor,
  mixedItems,
  openOnce,
  recordsOf,
  summaryOf,
  validatedBatch,
} from './batch-fixture.ts';
import {
  createPayoutFixture,
  executed,
  type Merchant,
  type PayoutFixture,
  payment,
  untilQuiet,
} from './payout-fixture.ts';

/** A long batch is paid to its last item here. */
vi.setConfig({ testTimeout: 120_000 });

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterEach(() => expectCountersToBeTrue(fixture));
afterAll(() => fixture.close());

const MANY = 500_000_000;

async function dispatched(count: number, from = 0) {
  const merchant = await fixture.addMerchant(MANY);
  const reference = await validatedBatch(fixture, merchant, mixedItems(count, from));
  expect((await dispatchOf(merchant, reference)).status).toBe(200);
  const { totals } = await summaryOf(merchant, reference);
  return { merchant, reference, total: minor(totals.total) };
}

const one = async <T>(sql: string, merchant: Merchant): Promise<T> =>
  (await fixture.database.pool.query(sql, [merchant.merchantId])).rows[0];

/** What is open of a merchant: payouts with their holds, and chunks. */
const opened = (merchant: Merchant) =>
  one<{ payouts: number; events: number; chunks: number; held: bigint; keys: number }>(
    `select (select count(*)::int from payouts p join transactions t on t.id = p.id and t.merchant_id = p.merchant_id
              where p.merchant_id = $1 and t.status = 'QUEUED' and p.next_step = 'SEND') as payouts,
            (select count(*)::int from events where merchant_id = $1 and type = 'payout.queued') as events,
            (select count(*)::int from batch_chunks where merchant_id = $1 and due_at is not null) as chunks,
            (select count(*)::int from unique_keys where merchant_id = $1 and scope = 'BATCH_CHUNK') as keys,
            (select coalesce(sum(h.amount_minor), 0)::bigint from transfers h
              where h.merchant_id = $1 and h.kind = 'PENDING'
                and not exists (select from transfers r where r.merchant_id = $1 and r.pending_id = h.id)) as held`,
    merchant,
  );

/** A process that is gone the moment it has done this much of a commit. */
function dyingBy(deps: PayoutDeps, when: 'before' | 'after'): PayoutDeps {
  const commit: PayoutDeps['ledger']['commit'] = async (movement) => {
    if (when === 'after') await deps.ledger.commit(movement);
    return new Promise(() => undefined);
  };
  return { ...deps, ledger: { ...deps.ledger, commit } };
}

describe('a chunk', () => {
  it('is opened once by three workers in whatever order, and the money is held all the time', async () => {
    const { merchant, total } = await dispatched(1_510);
    const others = [await fixture.otherProcess(), await fixture.otherProcess()];
    const workers = [fixture.deps, ...others.map((other) => other.deps)];
    let watching = true;
    const watch = async () => {
      while (watching) expect(await heldMinor(merchant)).toBe(total);
    };
    const work = async (deps: PayoutDeps) => {
      // A look may find that another worker has the chunk that it saw.
      while ((await opened(merchant)).chunks > 0) await openOnce(deps);
    };
    const watched = watch();
    await Promise.all(workers.map(work));
    watching = false;
    await watched;
    expect(await opened(merchant)).toEqual({ payouts: 1_510, events: 1_510, chunks: 0, keys: 4, held: total });
    await Promise.all(others.map((other) => other.close()));
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1_510);
  });

  it('of a worker that was killed before its commit is opened by another when the lease is over', async () => {
    const { merchant, total } = await dispatched(30);
    const dying = dueChunks(dyingBy(fixture.deps, 'before'));
    await dying.look();
    await expect.poll(() => dying.taken()).toBe(1);
    expect(await openOnce(fixture.deps)).toBe(0);
    expect(await opened(merchant)).toMatchObject({ payouts: 0, held: total });
    fixture.clock.advance(61_000);
    expect(await openOnce(fixture.deps)).toBe(1);
    expect(await opened(merchant)).toEqual({ payouts: 30, events: 30, chunks: 0, keys: 1, held: total });
  });

  it('of a worker that was killed behind its commit is open, and is not opened again', async () => {
    const { merchant, total } = await dispatched(30, 7);
    await dueChunks(dyingBy(fixture.deps, 'after')).look();
    while ((await opened(merchant)).chunks > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    fixture.clock.advance(61_000);
    expect(await openOnce(fixture.deps)).toBe(0);
    expect(await opened(merchant)).toEqual({ payouts: 30, events: 30, chunks: 0, keys: 1, held: total });
  });

  it('is not opened twice by a worker whose lease ran out while it was slow', async () => {
    const { merchant, total } = await dispatched(20, 3);
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: PayoutDeps = {
      ...fixture.deps,
      ledger: {
        ...fixture.deps.ledger,
        commit: async (movement) => {
          reached.resolve();
          await goOn.promise;
          return fixture.deps.ledger.commit(movement);
        },
      },
    };
    const slowly = dueChunks(slow);
    await slowly.look();
    await reached.promise;
    fixture.clock.advance(61_000);
    expect(await openOnce(fixture.deps)).toBe(1);
    goOn.resolve();
    await slowly.settle();
    expect(await opened(merchant)).toEqual({ payouts: 20, events: 20, chunks: 0, keys: 1, held: total });
  });

  it('comes up again two seconds after a database error', async () => {
    const { merchant } = await dispatched(10, 5);
    let fails = true;
    const shaky: PayoutDeps = {
      ...fixture.deps,
      ledger: {
        ...fixture.deps.ledger,
        commit: async (movement) => {
          if (fails) throw new Error('the database is away');
          return fixture.deps.ledger.commit(movement);
        },
      },
    };
    await openOnce(shaky);
    fails = false;
    expect(await openOnce(shaky)).toBe(0);
    fixture.clock.advance(2_001);
    expect(await openOnce(shaky)).toBe(1);
    expect(await opened(merchant)).toMatchObject({ payouts: 10, chunks: 0 });
  });

  it('is priced as at its dispatch, whatever a payout costs when it is opened', async () => {
    const { merchant, total } = await dispatched(20, 1);
    await fixture.database.pool.query(
      `update fee_rules set effective_to = $1::timestamptz where kind = 'TRANSFER_FEE' and effective_to is null`,
      [new Date(fixture.clock.now().getTime() + 1_000)],
    );
    await fixture.database.pool.query(
      `insert into fee_rules (id, kind, currency, min_amount_minor, max_amount_minor, flat_minor, rate_basis_points,
                              rounding, payer, exempt_purposes, effective_from, effective_to, source)
       select id || '-dearer', kind, currency, min_amount_minor, max_amount_minor, flat_minor + 5000, rate_basis_points,
              rounding, payer, exempt_purposes, effective_to, null, source
         from fee_rules where effective_to = $1::timestamptz and kind = 'TRANSFER_FEE'`,
      [new Date(fixture.clock.now().getTime() + 1_000)],
    );
    fixture.clock.advance(120_000);
    const single = await merchant.call('POST', '/payout/quote', { amount: 1_000 });
    expect(single.body.data.fee).toBe(60);
    expect(await openOnce(fixture.deps)).toBe(1);
    expect(await opened(merchant)).toMatchObject({ payouts: 20, held: total });
  });

  it('is not opened when its items are no longer what is held for them', async () => {
    const { merchant, total } = await dispatched(20, 2);
    const change = (by: number) =>
      fixture.database.pool.query(
        'update batch_items set amount_minor = amount_minor + $2 where merchant_id = $1 and position = 1',
        [merchant.merchantId, by],
      );
    await change(100);
    await openOnce(fixture.deps);
    expect(await opened(merchant)).toMatchObject({ payouts: 0, chunks: 1, held: total });
    await change(-100);
    // What was altered is left alone for a while.
    fixture.clock.advance(300_001);
    await openOnce(fixture.deps);
    expect(await opened(merchant)).toMatchObject({ payouts: 20, chunks: 0, held: total });
  });

  it('waits while enough payouts of its merchant wait to be sent, and another merchant’s does not', async () => {
    const { merchant } = await dispatched(2_010);
    for (let looks = 0; looks < 8; looks += 1) await openOnce(fixture.deps);
    expect(await opened(merchant)).toMatchObject({ payouts: 2_000, chunks: 1 });
    const next = await dispatched(10, 4);
    expect(await openOnce(fixture.deps)).toBe(1);
    expect(await opened(next.merchant)).toMatchObject({ payouts: 10, chunks: 0 });
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(2_010);
  });
});

describe('a batch of several chunks', () => {
  it('is paid to the last item by one worker, each counted, while a single payout passes it', async () => {
    const { merchant, reference, total } = await dispatched(1_010);
    await openOnce(fixture.deps);
    const single = await merchant.call('POST', '/payout/single', payment({ amount: 2_222 }));
    expect(single.status).toBe(200);
    await fixture.worker.runOnce();
    const ended = await summaryOf(merchant, reference);
    expect(ended).toMatchObject({
      status: 'COMPLETED',
      conclusive: true,
      payouts: { open: 0, succeeded: 1_010, failed: 0, reversed: 0 },
      progress: { phase: null, done: 1_010, total: 1_010, estimatedSecondsLeft: null },
    });
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1_011);
    const { bookedMinor, availableMinor } = await merchant.balance();
    expect(availableMinor).toBe(bookedMinor);
    const { amount, charges } = single.body.data;
    expect(bookedMinor).toBe(minor(MANY) - total - minor(amount + charges));
    const { rows } = await fixture.database.pool.query(
      `select type, count(*)::int as events from events
        where merchant_id = $1 and subject_id = (select id from batches where merchant_id = $1) group by 1 order by 1`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([
      { type: 'batch.completed', events: 1 },
      { type: 'batch.created', events: 1 },
      { type: 'batch.dispatched', events: 1 },
      { type: 'batch.ready', events: 1 },
    ]);
  });

  it('is what a payment of its last row meets before, between and after its chunks are opened', async () => {
    const { merchant } = await dispatched(501);
    const { amount, bankCode, accountNumber } = mixedItems(501).at(-1)!;
    const again = payment({ amount, bankCode, accountNumber, allowDuplicate: false });
    for (const chunks of [2, 1, 0]) {
      expect((await opened(merchant)).chunks).toBe(chunks);
      const refused = await merchant.call('POST', '/payout/single', again);
      expect([chunks, refused.status, refused.body.code]).toEqual([chunks, 409, 'PAYOUT_DUPLICATE']);
      if (chunks > 0) expect(await openOnce(fixture.deps)).toBe(1);
    }
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(501);
  });

  it('says item by item what became of it, counts a late reversal over, and gives failed ones back', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const suffixes = ['999901', '999911', '999935', '999921'];
    const rows = mixedItems(8).map((row, at) => ({
      ...row,
      accountNumber: `${3_000 + at}${suffixes[at % suffixes.length]}`,
    }));
    const reference = await validatedBatch(fixture, merchant, rows);
    await dispatchOf(merchant, reference);
    await untilQuiet(fixture);
    expect(await summaryOf(merchant, reference)).toMatchObject({
      status: 'PARTIALLY_COMPLETED',
      reason: 'PAYOUTS_FAILED',
      payouts: { open: 0, succeeded: 4, failed: 2, reversed: 2 },
    });
    const records = await recordsOf(merchant, reference);
    const expected = ['SUCCESS', 'FAILED', 'REVERSED', 'SUCCESS'];
    expect(records.map((record: { payoutStatus: string }) => record.payoutStatus)).toEqual([...expected, ...expected]);
    expect(records[1].payoutReason).toMatch(/^[A-Z_]+$/);
    expect(await heldMinor(merchant)).toBe(0n);
  });

  it('is concluded by whichever worker looks next, also when nobody was notified of its last payout', async () => {
    const { merchant, reference } = await dispatched(30, 9);
    const deaf: PayoutDeps = { ...fixture.deps, wake: () => undefined };
    await createPayoutWorker(deaf).runOnce();
    expect((await summaryOf(merchant, reference)).status).toBe('COMPLETED');
  });
});
