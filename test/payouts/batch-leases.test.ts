import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { dueChunks } from '../../src/batches/expand-chunks.ts';
import { sendDuePayouts } from '../../src/payout-delivery/due-payouts.ts';
import { MAX_LATER_MS } from '../../src/payout-delivery/lease-new-payouts.ts';
import { CHUNKS, type PayoutDeps } from '../../src/payouts/index.ts';
import type { RailCaller } from '../../src/rails/index.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import { dispatchOf, expectCountersToBeTrue, mixedItems, summaryOf, validatedBatch } from './batch-fixture.ts';
import {
  gone,
  KILLED,
  killedAt,
  LEASED,
  QUEUED,
  RELEASED,
  rowsOf,
  standOf,
  withCommit,
  withLostAnswers,
  withSends,
} from './lease-fixture.ts';
import {
  createPayoutFixture,
  executed,
  type Merchant,
  type PayoutFixture,
  payment,
  railsOf,
  untilQuiet,
} from './payout-fixture.ts';
import { PAID, scriptedRail } from './scripted-rail.ts';

vi.setConfig({ testTimeout: 120_000 });

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterEach(() => expectCountersToBeTrue(fixture));
afterAll(async () => {
  const { checks } = await verifyBooks(fixture.database);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  await fixture.close();
});

async function dispatched(count: number, from = 0) {
  const merchant = await fixture.addMerchant(500_000_000);
  const reference = await validatedBatch(fixture, merchant, mixedItems(count, from));
  expect((await dispatchOf(merchant, reference)).status).toBe(200);
  return { merchant, reference };
}

async function expectPaidOnce(merchant: Merchant, reference: string, count: number): Promise<void> {
  expect(await summaryOf(merchant, reference)).toMatchObject({
    status: 'COMPLETED',
    payouts: { open: 0, succeeded: count, failed: 0, reversed: 0 },
  });
  const sent = await executed(fixture, merchant.tenant);
  expect(new Set(sent.map(({ railReference }) => railReference)).size).toBe(count);
  expect(sent).toHaveLength(count);
  const { bookedMinor, availableMinor } = await merchant.balance();
  expect(bookedMinor).toBe(availableMinor);
}

describe('a chunk that a worker has capacity for', () => {
  it('becomes payouts that are leased and PROCESSING in the movement that makes them, with their attempts and events', async () => {
    const { merchant, reference } = await dispatched(20);
    void createPayoutWorker(withSends(fixture, gone)).runOnce();
    await expect.poll(() => standOf(fixture, merchant)).toEqual([{ ...LEASED, payouts: 20 }]);
    expect(
      await rowsOf(
        fixture,
        `select kind, ended_at, count(*)::int from payout_attempts where merchant_id = $1 group by 1, 2`,
        merchant,
      ),
    ).toEqual([{ kind: 'SEND', ended_at: null, count: 20 }]);
    expect(
      await rowsOf(
        fixture,
        `select string_agg(type, ' ' order by sequence) as types, count(*)::int as events from events
          where merchant_id = $1 and type like 'payout.%' group by subject_id order by subject_id limit 1`,
        merchant,
      ),
    ).toEqual([{ types: 'payout.queued payout.processing', events: 2 }]);
    expect(
      await rowsOf(
        fixture,
        `select from_state, to_state, count(*)::int as steps from state_changes s
          where merchant_id = $1 and subject = 'transaction' and subject_id in (select id from payouts) group by 1, 2`,
        merchant,
      ),
    ).toEqual([{ from_state: 'QUEUED', to_state: 'PROCESSING', steps: 20 }]);
    // The worker is gone: another one asks first, and sends what the rail does not know.
    await untilQuiet(fixture);
    await expectPaidOnce(merchant, reference, 20);
  });

  it.each(KILLED)('is paid once, item by item, where its worker is killed %s', async (step) => {
    const { merchant, reference } = await dispatched(60);
    const { deps, isDead } = killedAt(fixture, step, step.endsWith('the commit') ? 1 : 25);
    void createPayoutWorker(deps).runOnce();
    await expect.poll(isDead).toBe(true);
    await untilQuiet(fixture);
    await expectPaidOnce(merchant, reference, 60);
  });

  it('is paid once by three processes at once, whichever makes it', async () => {
    const { merchant, reference } = await dispatched(1_510);
    const others = [await fixture.otherProcess(), await fixture.otherProcess(), await fixture.otherProcess()];
    await Promise.all(others.map(({ deps }) => createPayoutWorker(deps).runOnce()));
    await untilQuiet(fixture);
    await expectPaidOnce(merchant, reference, 1_510);
    const sends = `select count(*)::int as sends from payout_attempts where merchant_id = $1 and kind = 'SEND'`;
    expect(await rowsOf(fixture, sends, merchant)).toEqual([{ sends: 1_510 }]);
    await Promise.all(others.map((other) => other.close()));
  });

  it('is made by its movement again, to wait for a lease, where that failed with its leases', async () => {
    const { merchant, reference } = await dispatched(12, 3);
    let failures = 0;
    const commit: PayoutDeps['ledger']['commit'] = async (movement) => {
      if (movement.firstSteps !== undefined && movement.firstSteps.length > 0) {
        failures += 1;
        throw new Error('a row that cannot be written');
      }
      return fixture.deps.ledger.commit(movement);
    };
    const worker = createPayoutWorker(withCommit(fixture.deps, commit));
    await worker.runOnce();
    expect(await standOf(fixture, merchant)).toEqual([]);
    fixture.clock.advance(2_001);
    await worker.runOnce();
    expect(failures).toBe(1);
    await expectPaidOnce(merchant, reference, 12);
  });

  it('leaves to a lease what something is found about, and makes the others leased', async () => {
    const { merchant, reference } = await dispatched(10, 40);
    const listFound: PayoutDeps['payoutGuard']['listFound'] = async (payouts) =>
      new Set(payouts.slice(4, 5).map(({ id }) => id));
    await dueChunksOf({ ...fixture.deps, payoutGuard: { ...fixture.deps.payoutGuard, listFound } });
    expect(await standOf(fixture, merchant)).toMatchObject([
      { status: 'PROCESSING', payouts: 9 },
      { ...QUEUED, payouts: 1 },
    ]);
    await untilQuiet(fixture);
    await expectPaidOnce(merchant, reference, 10);
  });

  it('waits in the queue where its merchant is suspended, or its rail takes no calls', async () => {
    const { merchant, reference } = await dispatched(5, 60);
    await createPayoutWorker({ ...fixture.deps, isSuspended: async () => true }).runOnce();
    expect(await standOf(fixture, merchant)).toEqual([{ ...QUEUED, payouts: 5 }]);
    await untilQuiet(fixture);
    await expectPaidOnce(merchant, reference, 5);

    const next = await dispatched(5, 70);
    const open: RailCaller = { ...fixture.caller, circuit: () => 'open' };
    await dueChunksOf({ ...fixture.deps, rails: railsOf(open) });
    expect(await standOf(fixture, next.merchant)).toMatchObject([{ status: 'QUEUED', leased: false, payouts: 5 }]);
    await untilQuiet(fixture);
    await expectPaidOnce(next.merchant, next.reference, 5);
  });

  it('keeps the reference of each transfer of a rail that does not say whose it is', async () => {
    const other = scriptedRail('other');
    other.send = PAID;
    const { merchant } = await dispatched(7, 80);
    await createPayoutWorker({ ...fixture.deps, rails: railsOf(other.caller, fixture.caller) }).runOnce();
    expect(other.sends).toHaveLength(7);
    const known = `select count(*)::int as known from rail_references r join payouts p on p.id = r.payout_id
                    where p.merchant_id = $1 and r.rail_reference = p.rail_reference and r.rail = 'other'`;
    expect(await rowsOf(fixture, known, merchant)).toEqual([{ known: 7 }]);
  });
});

/** Expands what is due, by a worker that sends nothing. */
async function dueChunksOf(deps: PayoutDeps): Promise<void> {
  const payouts = sendDuePayouts(deps);
  const chunks = dueChunks(deps, payouts.newLeases);
  await chunks.look();
  await chunks.settle();
}

describe('the movement of a chunk', () => {
  it('that was committed without an answer leaves nothing in hand: its payouts are sent at once by whoever is next', async () => {
    const { merchant, reference } = await dispatched(30, 100);
    await dueChunksOf(withLostAnswers(fixture.deps));
    const unsent = { ...RELEASED, payouts: 30 };
    await expect.poll(() => standOf(fixture, merchant)).toEqual([unsent]);
    await fixture.worker.runOnce();
    await expectPaidOnce(merchant, reference, 30);
  });

  it('with an item whose payment was taken since, unseen, sends the others, and never that one', async () => {
    const { merchant, reference } = await dispatched(5, 160);
    const { pool } = fixture.database;
    const { rows: items } = await pool.query(
      `select id, concat_ws(':', bank_code, account_number, amount_minor, 'NGN') as value from batch_items
        where merchant_id = $1 and position = 3`,
      [merchant.merchantId],
    );
    const single = await merchant.call('POST', '/payout/single', payment());
    const takeKey = 'update dedupe_keys set value = $2, is_meant = $3 where subject_id = $1';
    await pool.query(takeKey, [single.body.data.transactionId, items[0].value, false]);
    await fixture.worker.runOnce();
    await untilQuiet(fixture, merchant);
    const sent = await executed(fixture, merchant.tenant);
    expect(sent).toHaveLength(5);
    expect(sent.map(({ railReference }) => railReference)).not.toContain(items[0].id.replaceAll('-', ''));
    expect(await summaryOf(merchant, reference)).toMatchObject({
      status: 'PARTIALLY_COMPLETED',
      payouts: { open: 0, succeeded: 4, failed: 1, reversed: 0 },
    });
    // The books are proved afterwards.
    await pool.query(takeKey, [single.body.data.transactionId, '058:0123456785:100000:NGN', true]);
  });

  it('that is decided again, without what was found at first, sends each payout that it made leased', async () => {
    const { merchant, reference } = await dispatched(10, 140);
    const commit: PayoutDeps['ledger']['commit'] = (movement) => {
      // An attempt that was rolled back.
      for (const { refusal } of movement.checks ?? []) refusal([{ place: 1 }]);
      return fixture.deps.ledger.commit(movement);
    };
    await createPayoutWorker(withCommit(fixture.deps, commit)).runOnce();
    await expectPaidOnce(merchant, reference, 10);
  });
});

describe('capacity for new payouts', () => {
  const tenantOf = async () => (await fixture.addMerchant(0)).tenant;

  it('that other merchants have is not waited for', async () => {
    const { newLeases } = sendDuePayouts(fixture.deps);
    for (let merchants = 0; merchants < 8; merchants += 1) {
      expect(await newLeases.reserve(await tenantOf(), 500)).toMatchObject({ begin: expect.any(Function) });
    }
    expect(await newLeases.reserve(await tenantOf(), 500)).toBe('QUEUE');
    expect(await newLeases.reserve(await tenantOf(), 90)).toMatchObject({ begin: expect.any(Function) });
  });

  it('that other merchants have is not waited for by one that has only singles in hand', async () => {
    const merchant = await fixture.addMerchant();
    const released = Promise.withResolvers<void>();
    let sends = 0;
    const deps = withSends(fixture, async (request, next) => {
      sends += 1;
      await released.promise;
      return next(request);
    });
    const source = sendDuePayouts(deps);
    for (let singles = 0; singles < 3; singles += 1) await merchant.call('POST', '/payout/single', payment());
    await source.look();
    await expect.poll(() => sends).toBe(3);
    for (let merchants = 0; merchants < 8; merchants += 1) await source.newLeases.reserve(await tenantOf(), 500);
    expect(await source.newLeases.reserve(merchant.tenant, 500)).toBe('QUEUE');
    released.resolve();
    await untilQuiet(fixture, merchant);
  });

  it('that its own payouts have is waited for, but not for long: a rail may hang', async () => {
    const { newLeases } = sendDuePayouts(fixture.deps);
    const tenant = await tenantOf();
    for (let chunks = 0; chunks < 2; chunks += 1) {
      expect(await newLeases.reserve(tenant, 500)).toMatchObject({ begin: expect.any(Function) });
    }
    expect(await newLeases.reserve(tenant, 500)).toBe('LATER');
    fixture.clock.advance(MAX_LATER_MS);
    expect(await newLeases.reserve(tenant, 500)).toBe('LATER');
    fixture.clock.advance(1);
    expect(await newLeases.reserve(tenant, 500)).toBe('QUEUE');
  });
});

describe('a worker with much in hand', () => {
  it('expands the next chunk when there is capacity, and never has two more in hand than its rail needs', async () => {
    const { merchant, reference } = await dispatched(2_010);
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let sends = 0;
    const deps = withSends(fixture, async (request, next) => {
      sends += 1;
      if (sends === 64) held.resolve();
      await released.promise;
      return next(request);
    });
    const woken: (string | undefined)[] = [];
    const payouts = sendDuePayouts({ ...deps, wake: (source) => void woken.push(source) });
    const chunks = dueChunks(deps, payouts.newLeases);
    const expand = async () => {
      await chunks.look();
      await chunks.settle();
    };
    await expand();
    await held.promise;
    for (let looks = 0; looks < 3; looks += 1) await expand();
    // Of 500 each: one more is made while 500 are in hand, and none while a thousand are.
    expect(await standOf(fixture, merchant)).toEqual([{ ...LEASED, payouts: 1_000 }]);
    expect(woken).not.toContain(CHUNKS);
    released.resolve();
    await payouts.settle();
    expect(woken).toContain(CHUNKS);
    await untilQuiet(fixture);
    await expectPaidOnce(merchant, reference, 2_010);
  });

  it('that stops sends nothing more, and another sends at once what it had made', async () => {
    const { merchant, reference } = await dispatched(200, 5);
    let sends = 0;
    const worker = createPayoutWorker(
      withSends(fixture, async (request, next) => {
        sends += 1;
        if (sends === 10) void worker.stop();
        return next(request);
      }),
    );
    worker.start();
    await expect.poll(() => sends).toBeGreaterThanOrEqual(10);
    await worker.stop();
    expect(sends).toBeLessThan(200);
    expect(await standOf(fixture, merchant)).toMatchObject([
      { status: 'PROCESSING', leased: false, sent: false },
      { status: 'SUCCESS', payouts: sends },
    ]);
    await fixture.worker.runOnce();
    await expectPaidOnce(merchant, reference, 200);
  });

  it('that stops while a chunk is being made waits for it, and releases its payouts', async () => {
    const { merchant, reference } = await dispatched(30, 9);
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const commit: PayoutDeps['ledger']['commit'] = async (movement) => {
      reached.resolve();
      await goOn.promise;
      return fixture.deps.ledger.commit(movement);
    };
    const worker = createPayoutWorker(withCommit(fixture.deps, commit));
    worker.start();
    await reached.promise;
    const stopped = worker.stop();
    goOn.resolve();
    await stopped;
    const unsent = { ...RELEASED, payouts: 30 };
    expect(await standOf(fixture, merchant)).toEqual([unsent]);
    await fixture.worker.runOnce();
    await expectPaidOnce(merchant, reference, 30);
  });
});
