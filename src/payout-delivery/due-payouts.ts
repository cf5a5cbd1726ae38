import { CHUNKS, type NewPayoutLeases, PAYOUTS, type PayoutDeps } from '../payouts/index.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { createTenantTurns } from '../platform/jobs/take-turns.ts';
import type { WorkSource } from '../platform/jobs/worker.ts';
import { MODES, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { sandboxRailAdvanceWrites } from '../rails/index.ts';
import { queryPayout, sendPayout } from './call-payout.ts';
import { DUE_PAYOUTS, listTenantsWithDuePayouts } from './due-queries.ts';
import { createFairSlots, type FairSlots } from './fair-slots.ts';
import { fireSchedule } from './fire-schedule.ts';
import {
  type CountOf,
  capacityOf,
  createQueues,
  freeOf,
  hasCapacityFor,
  isWorthLeasing,
  type TenantQueue,
} from './in-hand.ts';
import { createLeaseKeeper, releaseAfterError } from './lease-keeper.ts';
import { newPayoutLeases } from './lease-new-payouts.ts';
import { failuresOfPayouts, type LeasedPayout, leasePayouts, leasePayoutsWithCare } from './lease-payouts.ts';
import { leaseTogether } from './lease-together.ts';
import { updatePayoutsAdvanced } from './queries.ts';

/** Leases under way at once: each takes a connection. */
const LEASES_AT_ONCE = { LIVE: 3, SANDBOX: 2 };

export interface DuePayouts extends WorkSource {
  newLeases: NewPayoutLeases;
}

/**
 * The source of due payouts, tenants by turns: it leases them, calls `take` for each, and renews the leases until
 * `take` is done. `take` never rejects.
 */
export function duePayouts(deps: PayoutDeps, take: (leased: LeasedPayout) => Promise<void>): DuePayouts {
  const queues = createQueues();
  const failures = deps.jobs.failuresOf('payouts.lease');
  const turns = createTenantTurns<Tenant>({
    failures,
    slots: LEASES_AT_ONCE,
    tenantOf: (tenant) => tenant,
    keyOf: tenantKey,
    take: (tenant) => fill(queues.of(tenant)),
    aboutOf: failedAbout,
  });
  const { running, begin } = createHands(deps, take, onFree);
  let isStarted = false;
  let closed = false;
  let leased = 0;

  function onFree(queue: TenantQueue): void {
    wakeChunks(deps, queue);
    if (!closed && !queue.leasing && queue.mayHaveMore && isWorthLeasing(queue)) refill(queue);
    else queues.drop(queue);
  }

  async function fill(queue: TenantQueue): Promise<void> {
    if (queue.leasing) return;
    queue.leasing = true;
    try {
      queue.capacity = Math.min(await capacityOf(deps, queue.tenant), queue.budget.share);
      for (;;) {
        const free = freeOf(queue);
        queue.mayHaveMore = true;
        if (closed || !isWorthLeasing(queue)) return;
        // After a lease of a tenant failed, its payouts are leased with care, one by one where necessary.
        const lease = hands.hasFailed(queue.tenant) ? leasePayoutsWithCare : leasePayouts;
        const found = await lease(deps, queue.tenant, free);
        queue.mayHaveMore = found.length === free;
        for (const one of found) hands.begin(queue, 'inHand', one);
        if (!queue.mayHaveMore) return;
      }
    } finally {
      queue.leasing = false;
    }
  }

  function refill(queue: TenantQueue): void {
    if (hands.hasFailed(queue.tenant)) return;
    const work = leaseAlone(queue).finally(() => running.delete(work));
    running.add(work);
  }

  async function leaseAlone(queue: TenantQueue): Promise<void> {
    const { tenant } = queue;
    await fill(queue).catch((error: unknown) => void failures.failed(tenantKey(tenant), error, failedAbout(tenant)));
  }

  const hands = {
    running,
    onFree,
    isStarted: () => isStarted,
    isStopping: () => closed,
    queueOf: queues.of,
    hasFailed: (tenant: Tenant) => failures.hasFailed(tenantKey(tenant)),
    begin(queue: TenantQueue, kind: CountOf, one: LeasedPayout) {
      leased += 1;
      begin(queue, kind, one);
    },
  };
  const together = leaseTogether(deps, { ...hands, leaseAlone });

  return {
    newLeases: newPayoutLeases(deps, hands),
    name: PAYOUTS,
    queues: [DUE_PAYOUTS],
    async look() {
      const due = await deps.database.query(listTenantsWithDuePayouts, [deps.clock.now()]);
      const tenants = due.map(tenantOf);
      queues.shareOut(tenants);
      const isDistributed = await deps.database.isDistributed();
      const byMode = Map.groupBy(tenants, ({ mode }) => mode);
      turns.offer(MODES.flatMap((mode) => together.begin(mode, byMode.get(mode) ?? [], isDistributed)));
    },
    taken: () => leased,
    start() {
      isStarted = true;
    },
    async settle() {
      await turns.settle();
      while (running.size > 0) await Promise.all(running);
    },
    close() {
      closed = true;
      turns.close();
    },
  };
}

interface Hands {
  /** What is under way. */
  running: Set<Promise<unknown>>;
  begin(queue: TenantQueue, kind: CountOf, one: LeasedPayout): void;
}

/** Takes the step of each payout that is leased, and renews its lease until the step is taken. */
function createHands(
  deps: PayoutDeps,
  take: (leased: LeasedPayout) => Promise<void>,
  onEnded: (queue: TenantQueue) => void,
): Hands {
  const keeper = createLeaseKeeper(deps);
  const running = new Set<Promise<unknown>>();
  return {
    running,
    begin(queue, kind, one) {
      queue.budget.total += 1;
      queue[kind] += 1;
      keeper.keep(one);
      const work = take(one).finally(() => {
        queue.budget.total -= 1;
        queue[kind] -= 1;
        keeper.release(one);
        running.delete(work);
        onEnded(queue);
      });
      running.add(work);
    },
  };
}

/** Where a chunk waits for capacity in this worker, and there is now. */
function wakeChunks(deps: PayoutDeps, queue: TenantQueue): void {
  const { waiting } = queue;
  if (waiting === undefined || waiting.isWoken || !hasCapacityFor(queue, waiting.count)) return;
  waiting.isWoken = true;
  deps.wake(CHUNKS);
}

const failedAbout = (tenant: Tenant) => ({ message: 'payouts could not be leased', ...tenant });

/** Takes the next step of each due payout: fires a schedule, sends, or queries its rail. */
export function sendDuePayouts(deps: PayoutDeps): DuePayouts {
  const slots = createFairSlots();
  const source = duePayouts(deps, (leased) => takeStep(deps, leased, slots));
  return {
    ...source,
    close() {
      source.close();
      slots.close();
    },
  };
}

/** Never rejects: a step that failed is taken again. */
async function takeStep(deps: PayoutDeps, leased: LeasedPayout, slots: FairSlots): Promise<void> {
  const payoutId = leased.payout.id;
  try {
    await takeStepOf(deps, leased, slots);
    failuresOfPayouts(deps).succeeded(payoutId);
  } catch (error) {
    await releaseAfterError(deps, leased, error).catch((again: unknown) => {
      // The lease runs out instead: nothing is lost, it only takes longer.
      deps.logger.warn({ err: again, payoutId }, 'a payout could not be released');
    });
  }
}

async function takeStepOf(deps: PayoutDeps, leased: LeasedPayout, slots: FairSlots): Promise<void> {
  switch (leased.step) {
    case 'FIRE':
      return fireSchedule(deps, leased);
    case 'SEND':
      return sendPayout(deps, leased, slots);
    case 'QUERY':
      return queryPayout(deps, leased, slots);
  }
}

/**
 * Writes that make schedules and requeries of a sandbox due so much earlier, and let the same time pass at the
 * simulated bank.
 */
export function payoutAdvanceWrites(tenant: Tenant, seconds: number, now: Date): Write[] {
  const row = { merchant_id: tenant.merchantId, mode: tenant.mode, seconds };
  return [write(updatePayoutsAdvanced, row), ...sandboxRailAdvanceWrites(tenant, seconds, now)];
}
