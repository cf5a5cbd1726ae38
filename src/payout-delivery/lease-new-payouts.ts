import { setTimeout as sleep } from 'node:timers/promises';
import {
  insertAttempts,
  type NewLease,
  type NewPayoutLeases,
  PAYOUTS,
  type PayoutDeps,
  type PayoutRecord,
  processingPayoutParts,
  type Reservation,
  sealAttempt,
} from '../payouts/index.ts';
import { answeredWithin } from '../platform/answered-within.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { beginByOf, releaseUnbegun } from './call-payout.ts';
import { type CountOf, capacityOf, hasCapacityFor, hasCapacityForOne, type TenantQueue } from './in-hand.ts';
import { type LeasedPayout, makeLease, PAYOUT_LEASE_MS, railsOf, referenceOf } from './lease-payouts.ts';
import { insertRailReferences } from './queries.ts';

/** A request waits no longer than this for what may be found about its payout: with long lists that takes seconds. */
const REQUEST_WAITS_MS = 100;
/** A release that failed, as where the database is away, is tried again until the lease has run out. */
const RELEASE_AGAIN_MS = 1_000;
const MAX_RELEASES = PAYOUT_LEASE_MS / RELEASE_AGAIN_MS;
/** A chunk waits no longer than this for capacity. */
export const MAX_LATER_MS = 2_000;

/** The worker in whose hands payouts are. */
export interface Hands {
  /** What is under way, and is waited for where the worker stops. */
  running: Set<Promise<unknown>>;
  /** Whether the worker looks for work. */
  isStarted(): boolean;
  isStopping(): boolean;
  queueOf(tenant: Tenant): TenantQueue;
  /** The last lease of the tenant failed: its new payouts have to wait for one. */
  hasFailed(tenant: Tenant): boolean;
  begin(queue: TenantQueue, kind: CountOf, leased: LeasedPayout): void;
  /** Called where capacity was reserved and is free again. */
  onFree(queue: TenantQueue): void;
}

/** Leases payouts as they are made, within what a worker may have in hand. */
export function newPayoutLeases(deps: PayoutDeps, hands: Hands): NewPayoutLeases {
  const isClosed = (tenant: Tenant) => hands.isStopping() || hands.hasFailed(tenant);
  return {
    async reserve(tenant, count) {
      const capacity = await capacityOf(deps, tenant);
      const queue = hands.queueOf(tenant);
      const { share } = queue.budget;
      const nowMs = deps.clock.elapsedMs();
      const { waiting } = queue;
      queue.waiting = undefined;
      queue.capacity = Math.min(capacity, share);
      if (isClosed(tenant) || count > share) return 'QUEUE';
      if (hasCapacityFor(queue, count)) return reserveIn(deps, hands, queue, { kind: 'made', count });
      // Others have the capacity, or its own singles, and may have it for long. A lease gives each tenant a few.
      if (queue.made === 0) return 'QUEUE';
      const sinceMs = waiting?.sinceMs ?? nowMs;
      // A rail that is slow, or hangs: they can as well wait in the queue.
      if (nowMs - sinceMs > MAX_LATER_MS) return 'QUEUE';
      queue.waiting = { count, sinceMs, isWoken: false };
      return 'LATER';
    },
    async reserveOne(tenant) {
      if (!hands.isStarted()) return undefined;
      // Where its rails cannot be read, the payout can still wait for them in the queue.
      const capacity = await capacityOf(deps, tenant).catch(() => undefined);
      if (capacity === undefined || isClosed(tenant)) return undefined;
      const queue = hands.queueOf(tenant);
      queue.capacity = Math.min(capacity, queue.budget.share);
      if (!hasCapacityForOne(queue)) return undefined;
      return reserveIn(deps, hands, queue, { kind: 'inHand', count: 1, withinMs: REQUEST_WAITS_MS });
    },
  };
}

interface Reserved {
  kind: CountOf;
  count: number;
  /** Whoever asks waits no longer than this to know what may be leased; then it waits in the queue. */
  withinMs?: number;
}

function reserveIn(
  deps: PayoutDeps,
  { running, begin, isStopping, onFree }: Hands,
  queue: TenantQueue,
  { kind, count, withinMs }: Reserved,
): Reservation {
  queue[kind] += count;
  queue.budget.total += count;
  const released = Promise.withResolvers<void>();
  running.add(released.promise);
  let unbegun: readonly LeasedPayout[] = [];

  /** Their leases run out where this goes on to fail, and their rail is asked first. */
  async function releaseRest(): Promise<void> {
    for (let attempts = 1; unbegun.length > 0; attempts += 1) {
      try {
        await releaseUnbegun(deps, unbegun);
        unbegun = [];
        deps.wake(PAYOUTS);
      } catch (error) {
        const about = { err: error, ...queue.tenant };
        if (attempts === 1) deps.logger.warn(about, 'payouts that were not begun could not be released');
        if (attempts === MAX_RELEASES || isStopping()) return;
        await sleep(RELEASE_AGAIN_MS);
      }
    }
  }

  return {
    async lease(payouts) {
      const leasing = leaseNewPayouts(deps, queue.tenant, payouts);
      const leases = await (withinMs === undefined ? leasing : answeredWithin(leasing, withinMs, () => NONE));
      unbegun = Array.from(leases.values(), leaseOf);
      return leases;
    },
    begin(leases) {
      const made = Array.from(leases, leaseOf);
      const now = deps.clock.now();
      // The commit took so long that another worker may soon have them: they are released, and leased again.
      unbegun = made.filter((one) => now > beginByOf(one));
      for (const one of made) if (now <= beginByOf(one)) begin(queue, kind, one);
    },
    refused() {
      unbegun = [];
    },
    release() {
      queue[kind] -= count;
      queue.budget.total -= count;
      onFree(queue);
      void releaseRest().finally(() => {
        running.delete(released.promise);
        released.resolve();
      });
    },
  };
}

/** A lease that this module has made. */
interface MadeLease extends NewLease {
  leased: LeasedPayout;
}

/** @throws Error where it is not one of `leaseNewPayouts`. */
function leaseOf(made: NewLease): LeasedPayout {
  if (!('leased' in made)) throw new Error(`payout ${made.payout.id} was not leased here`);
  return (made as MadeLease).leased;
}

const NONE: ReadonlyMap<string, NewLease> = new Map();

/**
 * Leases payouts of one tenant that are about to be made, by id: their movement makes them `PROCESSING`, with the
 * attempt that says that they may have been sent. Three kinds are left out and wait for a lease: those that no rail can
 * be asked to send now; those about which the guard finds something, since the lease opens their cases; and refunds,
 * since no row says yet which payment they return. Each is looked at once more before its rail is called, as any other.
 * It writes nothing, and where it fails all wait for a lease.
 */
async function leaseNewPayouts(
  deps: PayoutDeps,
  tenant: Tenant,
  payouts: readonly PayoutRecord[],
): Promise<ReadonlyMap<string, NewLease>> {
  try {
    if (await deps.isSuspended(tenant.merchantId)) return NONE;
    await deps.payoutGuard.lookAhead(tenant.mode, async () => payouts.map((one) => one.beneficiary_account_name));
    const now = deps.clock.now();
    const [rails, found] = await Promise.all([railsOf(deps, payouts), deps.payoutGuard.listFound(payouts, now)]);
    for (const [name, rail] of rails)
      if (rail.fault !== undefined || rail.circuit(tenant) === 'open') rails.delete(name);
    const leaseId = newId();
    const leases = new Map<string, NewLease>();
    for (const payout of payouts) {
      const rail = rails.get(payout.rail);
      if (rail === undefined || found.has(payout.id) || payout.purpose === 'REFUND') continue;
      leases.set(payout.id, leaseNew(payout, { leaseId, now, isEchoed: rail.echoesTenant === true }));
    }
    return leases;
  } catch (error) {
    deps.logger.warn({ err: error, ...tenant }, 'new payouts were not leased as they were made');
    return NONE;
  }
}

function leaseNew(
  queued: PayoutRecord,
  { leaseId, now, isEchoed }: { leaseId: string; now: Date; isEchoed: boolean },
): MadeLease {
  const { leased, attempt } = makeLease({ ...queued, status: 'PROCESSING' }, leaseId, now);
  if (attempt === undefined) throw new Error(`payout ${queued.id} is not to be sent`);
  const { writes, ...parts } = processingPayoutParts(queued, leased.payout, leaseId);
  const references = isEchoed ? [] : [write(insertRailReferences, referenceOf(queued))];
  return {
    payout: leased.payout,
    leased,
    parts: { ...parts, writes: [...writes, write(insertAttempts, sealAttempt(attempt)), ...references] },
  };
}
