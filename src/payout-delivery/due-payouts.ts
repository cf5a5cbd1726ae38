import { PAYOUTS, type PayoutDeps } from '../payouts/index.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { createTenantTurns } from '../platform/jobs/take-turns.ts';
import type { WorkSource } from '../platform/jobs/worker.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { sandboxRailAdvanceWrites } from '../rails/index.ts';
import { queryPayout, sendPayout } from './call-payout.ts';
import { createFairSlots, type FairSlots } from './fair-slots.ts';
import { fireSchedule } from './fire-schedule.ts';
import { createLeaseKeeper, releaseAfterError } from './lease-keeper.ts';
import { failuresOfPayouts, type LeasedPayout, leasePayouts, leasePayoutsWithCare } from './lease-payouts.ts';
import { DUE_PAYOUTS, listTenantsWithDuePayouts, updatePayoutsAdvanced } from './queries.ts';

/**
 * Payouts of one tenant in hand for each call that its rail takes at once: the next ones are ready when a slot is free.
 */
const IN_HAND_PER_SLOT = 8;
const IN_HAND_MIN = 512;
const IN_HAND_MAX = 2_048;
/** Payouts of all tenants of a mode that this worker has in hand. Each takes a few kilobytes. */
const TOTAL_IN_HAND = 4_096;
/** What any tenant may have in hand, however many others there are. */
const SHARE_MIN = 8;
/** Leases under way at once: each takes a connection. */
const LEASES_AT_ONCE = { LIVE: 3, SANDBOX: 2 };
/**
 * The part of a queue that has to be free before more is leased: a lease for one payout costs as much as the payout.
 */
const REFILL_PART = 4;

/** How many payouts of one mode this worker may have in hand: sandbox takes nothing from live. */
interface Budget {
  total: number;
  share: number;
}

/** What this worker has in hand of one tenant. */
interface TenantQueue {
  tenant: Tenant;
  budget: Budget;
  inHand: number;
  /** Set when more is leased, from the rail's slots and the number of tenants with work. */
  capacity: number;
  leasing: boolean;
  /** The last lease was full: there is probably more. */
  mayHaveMore: boolean;
}

/**
 * The source of due payouts, tenants by turns: it leases them, calls `take` for each, and renews the leases until
 * `take` is done. `take` never rejects.
 */
export function duePayouts(deps: PayoutDeps, take: (leased: LeasedPayout) => Promise<void>): WorkSource {
  const queues = new Map<string, TenantQueue>();
  const budget: Record<Mode, Budget> = { LIVE: openBudget(), SANDBOX: openBudget() };
  const failures = deps.jobs.failuresOf('payouts.lease');
  const turns = createTenantTurns<Tenant>({
    failures,
    slots: LEASES_AT_ONCE,
    tenantOf: (tenant) => tenant,
    keyOf: tenantKey,
    take: (tenant) => fill(queueOf(tenant)),
    aboutOf: failedAbout,
  });
  const keeper = createLeaseKeeper(deps);
  const running = new Set<Promise<unknown>>();
  let closed = false;
  let leased = 0;

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
        const lease = failures.hasFailed(tenantKey(queue.tenant)) ? leasePayoutsWithCare : leasePayouts;
        const found = await lease(deps, queue.tenant, free);
        queue.mayHaveMore = found.length === free;
        leased += found.length;
        for (const one of found) begin(queue, one);
        if (!queue.mayHaveMore) return;
      }
    } finally {
      queue.leasing = false;
    }
  }

  function begin(queue: TenantQueue, one: LeasedPayout): void {
    queue.budget.total += 1;
    queue.inHand += 1;
    keeper.keep(one);
    const work = take(one).finally(() => {
      queue.budget.total -= 1;
      queue.inHand -= 1;
      keeper.release(one);
      running.delete(work);
      if (!closed && !queue.leasing && queue.mayHaveMore && isWorthLeasing(queue)) refill(queue);
    });
    running.add(work);
  }

  function refill(queue: TenantQueue): void {
    const key = tenantKey(queue.tenant);
    if (failures.hasFailed(key)) return;
    const work = fill(queue)
      .catch((error: unknown) => void failures.failed(key, error, failedAbout(queue.tenant)))
      .finally(() => running.delete(work));
    running.add(work);
  }

  function queueOf(tenant: Tenant): TenantQueue {
    const key = tenantKey(tenant);
    const known = queues.get(key);
    if (known !== undefined) return known;
    const made = openQueue(tenant, budget[tenant.mode]);
    queues.set(key, made);
    return made;
  }

  return {
    name: PAYOUTS,
    queues: [DUE_PAYOUTS],
    async look() {
      const due = await deps.database.query(listTenantsWithDuePayouts, [deps.clock.now()]);
      const tenants = due.map(tenantOf);
      shareOut(queues, budget, tenants);
      turns.offer(tenants);
    },
    taken: () => leased,
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

/** How many more payouts the tenant may have now. Every tenant may have a few, also where the worker is full. */
function freeOf({ budget, inHand, capacity }: TenantQueue): number {
  const left = Math.max(TOTAL_IN_HAND - budget.total, SHARE_MIN - inHand);
  return Math.min(capacity - inHand, left);
}

/** Worth a lease: a worker with nothing in hand takes what there is. */
function isWorthLeasing(queue: TenantQueue): boolean {
  return freeOf(queue) >= (queue.inHand === 0 ? 1 : Math.ceil(queue.capacity / REFILL_PART));
}

/** Shares the capacity of each mode among the tenants with work. Drops queues with nothing in hand. */
function shareOut(queues: Map<string, TenantQueue>, budget: Record<Mode, Budget>, due: readonly Tenant[]): void {
  for (const [key, queue] of queues) if (queue.inHand === 0 && !queue.leasing) queues.delete(key);
  const all = [...due, ...Array.from(queues.values(), (queue) => queue.tenant)];
  for (const [mode, some] of Map.groupBy(all, (tenant) => tenant.mode)) {
    budget[mode].share = Math.max(SHARE_MIN, Math.floor(TOTAL_IN_HAND / new Set(some.map(tenantKey)).size));
  }
}

function openBudget(): Budget {
  return { total: 0, share: IN_HAND_MAX };
}

function openQueue(tenant: Tenant, budget: Budget): TenantQueue {
  return { tenant, budget, inHand: 0, capacity: SHARE_MIN, leasing: false, mayHaveMore: true };
}

async function capacityOf(deps: PayoutDeps, tenant: Tenant): Promise<number> {
  const [rail] = await deps.rails.listRails(tenant);
  return Math.min(Math.max((rail?.concurrency ?? 0) * IN_HAND_PER_SLOT, IN_HAND_MIN), IN_HAND_MAX);
}

const failedAbout = (tenant: Tenant) => ({ message: 'payouts could not be leased', ...tenant });

/** Takes the next step of each due payout: fires a schedule, sends, or queries its rail. */
export function sendDuePayouts(deps: PayoutDeps): WorkSource {
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
