import type { PayoutDeps } from '../payouts/index.ts';
import { type Mode, type Tenant, tenantKey } from '../platform/tenant.ts';

/**
 * Payouts of one tenant in hand for each call that its rail takes at once: the next ones are ready when a slot is free.
 */
const IN_HAND_PER_SLOT = 8;
const IN_HAND_MIN = 512;
const IN_HAND_MAX = 2_048;
/** Payouts of all tenants of a mode that this worker has in hand. Each takes a few kilobytes. */
const TOTAL_IN_HAND = 4_096;
/** What any tenant may have in hand, however many others there are. */
export const SHARE_MIN = 8;
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
export interface TenantQueue {
  tenant: Tenant;
  budget: Budget;
  /** Of those that waited for a lease. */
  inHand: number;
  /** Of those that were leased as they were made, with those that are being made. */
  made: number;
  /** So many payouts of a chunk wait until there is capacity for them, since then, by the monotonic clock. */
  waiting: { count: number; sinceMs: number; isWoken: boolean } | undefined;
  /** Set when more is leased, from the rail's slots and the number of tenants with work. */
  capacity: number;
  leasing: boolean;
  /** The last lease was full: there is probably more. */
  mayHaveMore: boolean;
}

/** Payouts of a chunk are counted by themselves: single ones have the capacity of leases. */
export type CountOf = 'inHand' | 'made';

/** How many more payouts the tenant may have now. Every tenant may have a few, also where the worker is full. */
export function freeOf({ budget, inHand, capacity }: TenantQueue): number {
  const left = Math.max(TOTAL_IN_HAND - budget.total, SHARE_MIN - inHand);
  return Math.min(capacity - inHand, left);
}

/** Worth a lease: a worker with nothing in hand takes what there is. */
export function isWorthLeasing(queue: TenantQueue): boolean {
  return freeOf(queue) >= (queue.inHand === 0 ? 1 : Math.ceil(queue.capacity / REFILL_PART));
}

/** Whether the payouts of a chunk may be made: while what is in hand still keeps the rail busy, so that it always is. */
export function hasCapacityFor({ inHand, made, budget, capacity }: TenantQueue, count: number): boolean {
  const all = inHand + made;
  return all < capacity && all + count <= budget.share && budget.total + count <= TOTAL_IN_HAND;
}

/** Whether a payout that a request makes may be leased as it is made: half is left for those that wait for a lease. */
export function hasCapacityForOne({ inHand, budget, capacity }: TenantQueue): boolean {
  return inHand < capacity / 2 && budget.total < TOTAL_IN_HAND / 2;
}

/** What this worker has in hand of each tenant. */
export function createQueues() {
  const queues = new Map<string, TenantQueue>();
  const budget: Record<Mode, Budget> = { LIVE: openBudget(), SANDBOX: openBudget() };
  return {
    of(tenant: Tenant): TenantQueue {
      const key = tenantKey(tenant);
      const queue = queues.get(key) ?? openQueue(tenant, budget[tenant.mode]);
      queues.set(key, queue);
      return queue;
    },
    /** Forgets it where nothing of it is in hand. */
    drop(queue: TenantQueue): void {
      if (queue.inHand + queue.made === 0 && !queue.leasing) queues.delete(tenantKey(queue.tenant));
    },
    /** Shares the capacity of each mode among the tenants with work. Drops queues with nothing in hand. */
    shareOut: (due: readonly Tenant[]) => shareOut(queues, budget, due),
  };
}

function shareOut(queues: Map<string, TenantQueue>, budget: Record<Mode, Budget>, due: readonly Tenant[]): void {
  for (const [key, queue] of queues) if (queue.inHand + queue.made === 0 && !queue.leasing) queues.delete(key);
  const all = [...due, ...Array.from(queues.values(), (queue) => queue.tenant)];
  for (const [mode, some] of Map.groupBy(all, (tenant) => tenant.mode)) {
    budget[mode].share = Math.max(SHARE_MIN, Math.floor(TOTAL_IN_HAND / new Set(some.map(tenantKey)).size));
  }
}

function openBudget(): Budget {
  return { total: 0, share: IN_HAND_MAX };
}

function openQueue(tenant: Tenant, budget: Budget): TenantQueue {
  return {
    tenant,
    budget,
    inHand: 0,
    made: 0,
    waiting: undefined,
    capacity: SHARE_MIN,
    leasing: false,
    mayHaveMore: false,
  };
}

export async function capacityOf(deps: PayoutDeps, tenant: Tenant): Promise<number> {
  const [rail] = await deps.rails.listRails(tenant);
  return Math.min(Math.max((rail?.concurrency ?? 0) * IN_HAND_PER_SLOT, IN_HAND_MIN), IN_HAND_MAX);
}
