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
 * lease: on a payday, with thousands of them due in the same second, these were most of the work. Where the database is
 * distributed each takes its own turn, since rows are locked on one shard at a time.
 */
export function leaseTogether(deps: PayoutDeps, hands: Pick<Hands, 'queueOf' | 'isStopping' | 'hasFailed' | 'begin'>) {
  const isNew = (tenant: Tenant): boolean => {
    const { inHand, leasing } = hands.queueOf(tenant);
    return inHand === 0 && !leasing && !hands.hasFailed(tenant);
  };

  /** Where it fails nothing is leased, and each tenant takes its own turn, so that one that fails holds up no other. */
  async function leaseSome(mode: Mode, tenants: readonly Tenant[]): Promise<Tenant[]> {
    const capacities = await Promise.all(tenants.map((tenant) => capacityOf(deps, tenant)));
    const wanted = tenants.flatMap((tenant, at): Wanted[] => {
      const queue = hands.queueOf(tenant);
      queue.capacity = Math.min(capacities[at] as number, queue.budget.share);
      // A turn of its own may have begun meanwhile.
      if (queue.leasing || !isWorthLeasing(queue)) return [];
      queue.leasing = true;
      return [{ tenant, queue, most: Math.min(freeOf(queue), SHARE_MIN) }];
    });
    try {
      const leased = await leasePayoutsOfMany(deps, mode, wanted);
      const found = Map.groupBy(leased, ({ payout }) => tenantKey(tenantOf(payout)));
      const ofTenant = ({ tenant }: Wanted) => found.get(tenantKey(tenant)) ?? [];
      for (const one of wanted) for (const payout of ofTenant(one)) hands.begin(one.queue, 'inHand', payout);
      return wanted.filter((one) => ofTenant(one).length === one.most).map(({ tenant }) => tenant);
    } catch (error) {
      deps.logger.warn(
        { err: error, mode, tenants: wanted.length },
        'payouts of many merchants could not be leased together',
      );
      return wanted.map(({ tenant }) => tenant);
    } finally {
      for (const { queue } of wanted) queue.leasing = false;
    }
  }

  return {
    /** @returns those who take their turn alone: who has some in hand already, or more, or could not be leased with others */
    async lease(mode: Mode, tenants: readonly Tenant[]): Promise<Tenant[]> {
      if (tenants.length < MANY_TENANTS || (await deps.database.isDistributed())) return [...tenants];
      const { together = [], alone = [] } = Object.groupBy(tenants, (one) => (isNew(one) ? 'together' : 'alone'));
      for (let at = 0; at < together.length && !hands.isStopping(); at += LEASED_TOGETHER)
        alone.push(...(await leaseSome(mode, together.slice(at, at + LEASED_TOGETHER))));
      return alone;
    },
  };
}

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
