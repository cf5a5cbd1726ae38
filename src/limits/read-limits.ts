import { type CachedValue, cacheOne } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { limitAt, limitsAt, type PayoutLimit, type PayoutLimitRow } from './payout-limit.ts';
import { listPayoutLimits } from './queries.ts';

/** A limit that an operator sets reaches every process within this. Limits dated ahead need no reload at all. */
const LIMITS_MAX_AGE_MS = 60_000;

/** The limits of all merchants as one process knows them. */
export type KnownLimits = CachedValue<readonly PayoutLimitRow[]>;

export function createKnownLimits({ database, clock }: { database: Database; clock: Clock }): KnownLimits {
  return cacheOne(clock, LIMITS_MAX_AGE_MS, () => database.query(listPayoutLimits));
}

export interface LimitDeps {
  database: Database;
  clock: Clock;
  payoutLimits: KnownLimits;
}

/** What this tenant may pay out at a moment, now unless given. */
export async function readLimit(deps: LimitDeps, tenant: Tenant, at = deps.clock.now()): Promise<PayoutLimit> {
  return limitAt(await deps.payoutLimits(), tenant, at);
}

/** The tenant's own limits and the operator's, each for itself, and what counts of both, as the database has them now. */
export async function readBothLimits(
  { queries, clock }: { queries: Queries; clock: Clock },
  tenant: Tenant,
): Promise<Record<'own' | 'operator' | 'limit', PayoutLimit>> {
  const rows = await queries.query(listPayoutLimits);
  const now = clock.now();
  return { ...limitsAt(rows, tenant, now), limit: limitAt(rows, tenant, now) };
}

/** Every row of the operator's, past and future, as it stands in the database now: for the operator. */
export async function listLimits({ database }: { database: Database }): Promise<readonly PayoutLimitRow[]> {
  const rows = await database.query(listPayoutLimits);
  return rows.filter(({ owner }) => owner === 'OPERATOR');
}
