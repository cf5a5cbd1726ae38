import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BATCH_LEASE_MS } from '../../src/batches/batch-change.ts';
import { requeryDelayMs, sendPayout } from '../../src/payout-delivery/call-payout.ts';
import { createFairSlots } from '../../src/payout-delivery/fair-slots.ts';
import { createLeaseKeeper } from '../../src/payout-delivery/lease-keeper.ts';
import { leasePayouts, PAYOUT_LEASE_MS } from '../../src/payout-delivery/lease-payouts.ts';
import { findPayout, type PayoutDeps } from '../../src/payouts/index.ts';
import { createRailCaller, type Rail } from '../../src/rails/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import {
  createPayoutFixture,
  executed,
  type Merchant,
  type PayoutFixture,
  payment,
  railsOf,
  untilQuiet,
} from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

async function pay(merchant: Merchant, fields: Record<string, unknown> = {}): Promise<string> {
  const reply = await merchant.call('POST', '/payout/single', payment(fields));
  return reply.body.data.transactionId;
}

async function statusOf(merchant: Merchant, id: string): Promise<string> {
  const [payout] = await fixture.database.query(findPayout, [merchant.tenant.merchantId, merchant.tenant.mode, id]);
  return payout!.status;
}

async function attemptsOf(merchant: Merchant): Promise<string[]> {
  const { rows } = await fixture.database.pool.query(
    'select kind, outcome from payout_attempts where merchant_id = $1 order by id',
    [merchant.merchantId],
  );
  return rows.map((row) => `${row.kind} ${row.outcome ?? 'unanswered'}`);
}

/** The service as a worker sees it that is killed while its end of a payout is on its way to the books. */
function killedBeforeBooks(): PayoutDeps {
  const { ledger } = fixture.deps;
  const gone = () => new Promise<never>(() => undefined);
  return {
    ...fixture.deps,
    ledger: { ...ledger, commit: (movement) => (movement.transfers === undefined ? ledger.commit(movement) : gone()) },
  };
}

describe('a worker that dies', () => {
  it('between taking a payout and calling the rail leaves it to another, who sends it: it was still queued', async () => {
    const merchant = await fixture.addMerchant();
    const id = await pay(merchant);
    expect(await leasePayouts(fixture.deps, merchant.tenant, 10)).toHaveLength(1);
    await fixture.worker.runOnce();
    expect([await statusOf(merchant, id), await attemptsOf(merchant)]).toEqual(['QUEUED', ['SEND unanswered']]);
    fixture.clock.advance(PAYOUT_LEASE_MS);
    await fixture.worker.runOnce();
    expect(await statusOf(merchant, id)).toBe('SUCCESS');
    expect(await attemptsOf(merchant)).toEqual(['SEND unanswered', 'SEND succeeded']);
    const lines = await executed(fixture, merchant.tenant);
    expect(lines.map((line) => line.railReference)).toEqual([id.replaceAll('-', '')]);
  });

  it('after it said that it would send is asked about first, and "not found" is believed a minute after that', async () => {
    const merchant = await fixture.addMerchant();
    const id = await pay(merchant);
    const stuck = createFairSlots();
    const never = { ...stuck, use: () => new Promise<never>(() => undefined) };
    const [leased] = await leasePayouts(fixture.deps, merchant.tenant, 10);
    void sendPayout(fixture.deps, leased!, never);
    await expect.poll(() => statusOf(merchant, id)).toBe('PROCESSING');
    fixture.clock.advance(PAYOUT_LEASE_MS);
    await fixture.worker.runOnce();
    expect(await attemptsOf(merchant)).toEqual(['SEND unanswered', 'QUERY not_found']);
    fixture.clock.advance(50_000);
    await fixture.worker.runOnce();
    expect(await attemptsOf(merchant)).toEqual(['SEND unanswered', 'QUERY not_found', 'QUERY not_found']);
    fixture.clock.advance(80_000);
    await fixture.worker.runOnce();
    expect(await statusOf(merchant, id)).toBe('SUCCESS');
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it('between the rail’s answer and the books loses nothing and sends nothing twice', async () => {
    const merchant = await fixture.addMerchant();
    const id = await pay(merchant);
    const [leased] = await leasePayouts(fixture.deps, merchant.tenant, 10);
    void sendPayout(killedBeforeBooks(), leased!, createFairSlots());
    await expect.poll(() => executed(fixture, merchant.tenant)).toHaveLength(1);
    expect(await statusOf(merchant, id)).toBe('PROCESSING');
    const { bookedMinor, availableMinor } = await merchant.balance();
    expect(bookedMinor - availableMinor).toBe(101_075n);
    fixture.clock.advance(PAYOUT_LEASE_MS);
    await fixture.worker.runOnce();
    expect(await statusOf(merchant, id)).toBe('SUCCESS');
    expect(await attemptsOf(merchant)).toEqual(['SEND unanswered', 'QUERY succeeded']);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it('and wakes after its lease does not begin to send', async () => {
    const merchant = await fixture.addMerchant();
    const id = await pay(merchant);
    const [leased] = await leasePayouts(fixture.deps, merchant.tenant, 10);
    fixture.clock.advance(PAYOUT_LEASE_MS);
    await sendPayout(fixture.deps, leased!, createFairSlots());
    expect(await executed(fixture, merchant.tenant)).toEqual([]);
    await untilQuiet(fixture);
    expect(await statusOf(merchant, id)).toBe('SUCCESS');
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it('in all but name, as its lease ran out while it waited for its turn at the rail, does not begin to send', async () => {
    const merchant = await fixture.addMerchant();
    const id = await pay(merchant);
    const { tenant } = merchant;
    const answered = Promise.withResolvers<void>();
    const slow: Rail = {
      ...fixture.rail,
      query: (request, signal) => answered.promise.then(() => fixture.rail.query(request, signal)),
    };
    const caller = createRailCaller(slow, { limits: { concurrency: 1 }, clock: fixture.clock });
    const account = { bankCode: '058', accountNumber: '0123456785' };
    const asking = caller.query({ tenant, railReference: 'x', amountMinor: 1n, currency: 'NGN', ...account });
    const [leased] = await leasePayouts(fixture.deps, tenant, 10);
    const sending = sendPayout({ ...fixture.deps, rails: railsOf(caller) }, leased!, createFairSlots());
    await expect.poll(() => leased!.asked).toBe(true);
    fixture.clock.advance(PAYOUT_LEASE_MS);
    answered.resolve();
    await Promise.all([asking, sending]);
    expect(await executed(fixture, tenant)).toEqual([]);
    await untilQuiet(fixture, merchant);
    expect(await statusOf(merchant, id)).toBe('SUCCESS');
    expect(await executed(fixture, tenant)).toHaveLength(1);
  });

  it('loses nothing to one that lives: a lease is renewed as long as the rail takes', async () => {
    const merchant = await fixture.addMerchant();
    await pay(merchant);
    const [leased] = await leasePayouts(fixture.deps, merchant.tenant, 10);
    const keeper = createLeaseKeeper(fixture.deps);
    keeper.keep(leased!);
    for (let times = 0; times < 5; times += 1) {
      fixture.clock.advance(20_000);
      await keeper.renew();
      expect(await leasePayouts(fixture.deps, merchant.tenant, 10)).toEqual([]);
    }
    keeper.release(leased!);
    fixture.clock.advance(PAYOUT_LEASE_MS);
    expect(await leasePayouts(fixture.deps, merchant.tenant, 10)).toHaveLength(1);
    // Somebody else has it now: what was leased before is not renewed, and so begins nothing.
    fixture.clock.advance(11_000);
    const before = leased!.leaseEndsAt;
    keeper.keep(leased!);
    await keeper.renew();
    expect(leased!.leaseEndsAt).toEqual(before);
    keeper.release(leased!);
  });

  it('after its lease was renewed may have sent until the end of that: "not found" is believed a minute after it', async () => {
    const merchant = await fixture.addMerchant();
    const id = await pay(merchant);
    const [leased] = await leasePayouts(fixture.deps, merchant.tenant, 10);
    const waitsForItsTurn = { ...createFairSlots(), use: () => new Promise<never>(() => undefined) };
    void sendPayout(fixture.deps, leased!, waitsForItsTurn);
    await expect.poll(() => statusOf(merchant, id)).toBe('PROCESSING');
    const keeper = createLeaseKeeper(fixture.deps);
    keeper.keep(leased!);
    for (let times = 0; times < 5; times += 1) {
      fixture.clock.advance(20_000);
      await keeper.renew();
    }
    keeper.release(leased!);
    for (const [laterMs, queries] of [
      [PAYOUT_LEASE_MS, 1],
      [50_000, 2],
    ] as const) {
      fixture.clock.advance(laterMs);
      await fixture.worker.runOnce();
      expect(await attemptsOf(merchant)).toEqual(['SEND unanswered', ...Array(queries).fill('QUERY not_found')]);
    }
    fixture.clock.advance(80_000);
    await fixture.worker.runOnce();
    expect(await statusOf(merchant, id)).toBe('SUCCESS');
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it('releases soon what a database error stopped, not when its lease runs out', async () => {
    const merchant = await fixture.addMerchant();
    const id = await pay(merchant);
    const { ledger } = fixture.deps;
    let failures = 2;
    const broken = { ...ledger, commit: () => Promise.reject(new Error('connection lost')) };
    const failing: PayoutDeps = {
      ...fixture.deps,
      ledger: {
        ...ledger,
        commit: (movement) => {
          failures -= 1;
          return failures >= 0 ? broken.commit() : ledger.commit(movement);
        },
      },
    };
    const worker = createPayoutWorker(failing);
    // Later each time that it fails.
    for (const laterMs of [3_001, 6_001, 0]) {
      await worker.runOnce();
      fixture.clock.advance(laterMs);
    }
    expect(await statusOf(merchant, id)).toBe('SUCCESS');
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it('that lives but cannot write down what the rail answered asks it next, and never sends again', async () => {
    const merchant = await fixture.addMerchant();
    const id = await pay(merchant);
    const { ledger } = fixture.deps;
    let failures = 1;
    const failing: PayoutDeps = {
      ...fixture.deps,
      ledger: {
        ...ledger,
        commit: (movement) => {
          if (movement.transfers === undefined) return ledger.commit(movement);
          failures -= 1;
          return failures >= 0 ? Promise.reject(new Error('connection lost')) : ledger.commit(movement);
        },
      },
    };
    const worker = createPayoutWorker(failing);
    await worker.runOnce();
    expect(failures).toBe(0);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
    const [payout] = await fixture.database.query(findPayout, [merchant.merchantId, merchant.tenant.mode, id]);
    // Not as one that its rail was never asked for: that might go to another rail.
    expect(payout).toMatchObject({ status: 'PROCESSING', next_step: 'QUERY', sent_at: fixture.clock.now() });
    fixture.clock.advance(3_001);
    await worker.runOnce();
    expect([await statusOf(merchant, id), await attemptsOf(merchant)]).toEqual([
      'SUCCESS',
      ['SEND unanswered', 'QUERY succeeded'],
    ]);
  });

  it('while it validates a batch leaves it to another, who goes on', async () => {
    const merchant = await fixture.addMerchant();
    const rows = Array.from({ length: 100 }, (_, at) => ({
      amount: 10,
      bankCode: '058',
      accountNumber: String(2_000_000_000 + at),
      narration: 'x',
    }));
    const made = await merchant.call('POST', '/payout/bulk', { items: rows });
    let checks = 0;
    const stalling = createPayoutWorker({
      ...fixture.deps,
      banks: {
        ...fixture.deps.banks,
        findBank(code) {
          checks += 1;
          return checks > 80 ? new Promise(() => undefined) : fixture.deps.banks.findBank(code);
        },
      },
    });
    void stalling.runOnce();
    await expect.poll(() => checks).toBeGreaterThan(80);
    await fixture.worker.runOnce();
    const path = `/payout/bulk/${made.body.data.batchReference}`;
    expect((await merchant.call('GET', path)).body.data).toMatchObject({ status: 'VALIDATING' });
    fixture.clock.advance(BATCH_LEASE_MS);
    await fixture.worker.runOnce();
    expect((await merchant.call('GET', path)).body.data).toMatchObject({ status: 'READY', counts: { valid: 100 } });
  });
});

describe('a transfer that the rail does not know', () => {
  it('is not sent again before a minute has passed, and then under the same reference', async () => {
    const merchant = await fixture.addMerchant();
    const id = await pay(merchant, { accountNumber: '0001999922' });
    await fixture.worker.runOnce();
    fixture.clock.advance(30_000);
    await fixture.worker.runOnce();
    expect(await attemptsOf(merchant)).toEqual(['SEND unknown', 'QUERY not_found']);
    expect(await statusOf(merchant, id)).toBe('PROCESSING');
    await untilQuiet(fixture);
    expect(await statusOf(merchant, id)).toBe('SUCCESS');
    const sends = (await attemptsOf(merchant)).filter((attempt) => attempt.startsWith('SEND'));
    expect(sends).toEqual(['SEND unknown', 'SEND succeeded']);
    const lines = await executed(fixture, merchant.tenant);
    expect(lines.map((line) => line.railReference)).toEqual([id.replaceAll('-', '')]);
  });
});

describe('a rail that is not called because its circuit is open', () => {
  it('gets the payout later, and is not asked about what never left', async () => {
    const merchant = await fixture.addMerchant();
    const down: Rail = { ...fixture.rail, send: () => Promise.reject(new Error('connect ECONNREFUSED')) };
    const breaking = createRailCaller(down, { limits: { breakerCalls: 2 }, clock: fixture.clock });
    const deps = { ...fixture.deps, rails: railsOf(breaking) };
    const opening = {
      tenant: merchant.tenant,
      railReference: 'x',
      amountMinor: 1n,
      currency: 'NGN',
      bankCode: '058',
      accountNumber: '0123456785',
      accountName: 'X',
      narration: 'x',
    };
    for (let at = 0; at < 2; at += 1) await breaking.send(opening);
    expect(breaking.circuit()).toBe('open');
    const id = await pay(merchant);
    await createPayoutWorker(deps).runOnce();
    expect(await statusOf(merchant, id)).toBe('PROCESSING');
    fixture.clock.advance(10_000);
    await fixture.worker.runOnce();
    expect(await statusOf(merchant, id)).toBe('SUCCESS');
    expect(await attemptsOf(merchant)).toEqual(['SEND unknown', 'SEND succeeded']);
  });
});

describe('the worker', () => {
  it('finds work by itself, at once when it is woken, and stops only after the calls under way', async () => {
    const merchant = await fixture.addMerchant();
    const worker = createPayoutWorker(fixture.deps, { pollMs: 20 });
    worker.wake();
    const first = await pay(merchant);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await statusOf(merchant, first)).toBe('QUEUED');
    worker.start();
    await expect.poll(() => statusOf(merchant, first)).toBe('SUCCESS');
    const slow = await pay(merchant, { accountNumber: '0008999921' });
    await expect.poll(() => statusOf(merchant, slow)).toBe('PROCESSING');
    await worker.stop();
    expect(await attemptsOf(merchant)).toEqual(['SEND succeeded', 'SEND unknown']);
    const late = await pay(merchant);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await statusOf(merchant, late)).toBe('QUEUED');
  });

  it('does a job of both modes for each by itself: one that fails or hangs for sandbox is done for live', async () => {
    let live = 0;
    let fails = true;
    const job = { name: 'both', everyMs: 5 };
    const sandbox = () => (fails ? Promise.reject(new Error('no')) : new Promise<number>(() => undefined));
    const worker = createPayoutWorker(fixture.deps, {
      scheduledJobs: [
        { ...job, mode: 'SANDBOX', run: sandbox },
        {
          ...job,
          mode: 'LIVE',
          run: async () => {
            live += 1;
            return 0;
          },
        },
      ],
    });
    worker.start();
    await expect.poll(() => live).toBeGreaterThan(5);
    fails = false;
    fixture.clock.advance(60_000);
    const before = live;
    await expect.poll(() => live).toBeGreaterThan(before + 5);
    // It waits for what hangs; this one is let go of with the process.
    void worker.stop();
  });

  it('runs its scheduled jobs by their own clocks, leaves one that fails alone for a while that grows, and ends them before it stops', async () => {
    const ran: string[] = [];
    let underWay = false;
    let slowRuns = 0;
    const worker = createPayoutWorker(fixture.deps, {
      scheduledJobs: [
        {
          name: 'failing',
          everyMs: 5,
          run: () => {
            ran.push('failing');
            return Promise.reject(new Error('no'));
          },
        },
        {
          name: 'slow',
          everyMs: 5,
          run: async () => {
            underWay = true;
            slowRuns += 1;
            await new Promise((resolve) => setTimeout(resolve, 50));
            underWay = false;
            return 0;
          },
        },
      ],
    });
    worker.start();
    for (const afterMs of [1_000, 2_000, 4_000]) {
      const before = ran.length;
      await expect.poll(() => ran.length).toBe(before + 1);
      // The other runs on, many times.
      await expect.poll(() => slowRuns).toBeGreaterThan(before * 3);
      expect(ran.length).toBe(before + 1);
      fixture.clock.advance(afterMs);
    }
    await expect.poll(() => underWay, { interval: 5 }).toBe(true);
    await worker.stop();
    const after = ran.length;
    expect(underWay).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([underWay, ran.length]).toEqual([false, after]);
  });

  it('asks ever less often about an open payout', () => {
    const delays = [1, 2, 3, 4, 5, 6, 50, 60].map((attempts) => requeryDelayMs(attempts, () => 0.5));
    expect(delays).toEqual([5_000, 15_000, 60_000, 300_000, 1_800_000, 1_800_000, 1_800_000, 3_600_000]);
    expect([requeryDelayMs(1, () => 0), requeryDelayMs(1, () => 1)]).toEqual([4_000, 6_000]);
  });
});
