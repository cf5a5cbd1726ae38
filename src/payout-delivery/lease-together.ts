import type { PayoutDeps } from '../payouts/index.ts';
import { arrayOf } from '../platform/db/statement.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { listDuePayeesOfMany, lockDuePayoutsOfMany, readInIndexOrder } from './due-queries.ts';
import { capacityOf, freeOf, isWorthLeasing, SHARE_MIN, type TenantQueue } from './in-hand.ts';
import type { Hands } from './lease-new-payouts.ts';
import { compareAhead, type LeasedPayout, leaseLocked } from './lease-payouts.ts';

/** From so many tenants with due payouts on, those with few are leased together. */
const MANY_TENANTS = 8;
/** So many tenants at a time: their rows are locked until the last is leased. */
const LEASED_TOGETHER = 64;

/**
 * Leases due payouts of many tenants at a time. What a tenant with a single payout costs otherwise is mostly the transactions of its
 * lease: on a payday, with thousands of them due in the same second, these were most of the work. Each mode has a lease under way
 * by itself, and nobody else waits for it. Where the database is distributed each tenant takes its own turn, since rows are locked
 * on one shard at a time.
 */
export function leaseTogether(
  deps: PayoutDeps,
  hands: Pick<Hands, 'running' | 'queueOf' | 'isStopping' | 'hasFailed' | 'begin'> & {
    /** Leases those of one tenant, as in its turn. Never rejects. */
    leaseAlone(queue: TenantQueue): Promise<void>;
  },
) {
  const lines = { LIVE: newLine(), SANDBOX: newLine() };

  const isNew = (tenant: Tenant): boolean => {
    const { inHand, leasing } = hands.queueOf(tenant);
    return inHand === 0 && !leasing && !hands.hasFailed(tenant);
  };

  /** Leases for as long as somebody waits; what waits is what was seen last. Never rejects. */
  async function leaseWaiting(mode: Mode, line: Line): Promise<void> {
    try {
      while (line.waiting.length > 0 && !hands.isStopping())
        await leaseSome(mode, line.waiting.splice(0, LEASED_TOGETHER));
    } finally {
      line.isUnderWay = false;
    }
  }

  /** Where it fails nothing is leased, and each tenant is leased alone, so that one that fails holds up no other. */
  async function leaseSome(mode: Mode, tenants: readonly Tenant[]): Promise<void> {
    const alone: TenantQueue[] = [];
    const wanted = (await Promise.all(tenants.map((tenant) => want(tenant, alone)))).filter((one) => one !== undefined);
    try {
      const leased = wanted.length === 0 ? [] : await leasePayoutsOfMany(deps, mode, wanted);
      const found = Map.groupBy(leased, ({ payout }) => tenantKey(tenantOf(payout)));
      for (const { tenant, queue, most } of wanted) {
        const payouts = found.get(tenantKey(tenant)) ?? [];
        queue.mayHaveMore = payouts.length === most;
        for (const payout of payouts) hands.begin(queue, 'inHand', payout);
      }
    } catch (error) {
      deps.logger.warn(
        { err: error, mode, tenants: wanted.length },
        'payouts of many merchants could not be leased together',
      );
      alone.push(...wanted.map(({ queue }) => queue));
    } finally {
      for (const { queue } of wanted) queue.leasing = false;
    }
    for (const queue of alone) await hands.leaseAlone(queue);
  }

  /** Undefined where it has a turn of its own. Where its rails cannot be read it is left to itself: that is its own trouble. */
  async function want(tenant: Tenant, alone: TenantQueue[]): Promise<Wanted | undefined> {
    const capacity = await capacityOf(deps, tenant).catch(() => undefined);
    if (capacity === undefined) {
      alone.push(hands.queueOf(tenant));
      return undefined;
    }
    const queue = hands.queueOf(tenant);
    if (queue.leasing) return undefined;
    queue.capacity = Math.min(capacity, queue.budget.share);
    if (!isWorthLeasing(queue)) return undefined;
    queue.leasing = true;
    return { tenant, queue, most: Math.min(freeOf(queue), SHARE_MIN) };
  }

  return {
    /**
     * Begins to lease, of these tenants with due payouts, those that have none in hand, where they are many.
     * @returns the others, who take their turn alone: who has some already, or whose last lease failed
     */
    begin(mode: Mode, tenants: readonly Tenant[], isDistributed: boolean): Tenant[] {
      const line = lines[mode];
      if (isDistributed || tenants.length < MANY_TENANTS) {
        line.waiting = [];
        return [...tenants];
      }
      const { together = [], alone = [] } = Object.groupBy(tenants, (one) => (isNew(one) ? 'together' : 'alone'));
      line.waiting = together;
      if (!line.isUnderWay && together.length > 0) {
        line.isUnderWay = true;
        const work = leaseWaiting(mode, line).finally(() => hands.running.delete(work));
        hands.running.add(work);
      }
      return alone;
    },
  };
}

interface Line {
  isUnderWay: boolean;
  waiting: Tenant[];
}

const newLine = (): Line => ({ isUnderWay: false, waiting: [] });

/** A tenant, and how many of its due payouts are leased at most. */
interface Wanted {
  tenant: Tenant;
  queue: TenantQueue;
  most: number;
}

/** Due payouts of many tenants of one mode, as `leasePayouts` leases them, in one transaction. */
async function leasePayoutsOfMany(deps: PayoutDeps, mode: Mode, wanted: readonly Wanted[]): Promise<LeasedPayout[]> {
  const tenants = wanted.map(({ tenant }) => tenant);
  const merchantIds = tenants.map(({ merchantId }) => merchantId);
  const modes = tenants.map(() => mode);
  const most = wanted.map((one) => one.most);
  const askedAt = (now: Date) => [arrayOf('uuid', merchantIds), arrayOf('text', modes), now, arrayOf('integer', most)];
  await compareAhead(deps, mode, listDuePayeesOfMany, askedAt(deps.clock.now()));
  return leaseLocked(deps, tenants, async (tx, now) => {
    const [, found] = await Promise.all([tx.query(readInIndexOrder), tx.query(lockDuePayoutsOfMany, askedAt(now))]);
    return found;
  });
}
