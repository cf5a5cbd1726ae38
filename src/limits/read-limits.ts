import { cacheOne } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { limitAt, limitsAt, type PayoutLimit, type PayoutLimitRow } from './payout-limit.ts';
import { listPayoutLimits } from './queries.ts';

/** A limit that an operator sets reaches every process within this. Limits dated ahead need no reload at all. */
const LIMITS_MAX_AGE_MS = 60_000;

export interface LimitDeps {
  database: Database;
  clock: Clock;
}

/** One memory a database, found by the database: payouts, batches and the worker ask through the same one. */
const readers = new WeakMap<Database, () => Promise<readonly PayoutLimitRow[]>>();

function listRows({ database, clock }: LimitDeps): Promise<readonly PayoutLimitRow[]> {
  let reader = readers.get(database);
  if (reader === undefined) {
    reader = cacheOne(clock, LIMITS_MAX_AGE_MS, () => database.query(listPayoutLimits));
    readers.set(database, reader);
  }
  return reader();
}

/** What this tenant may pay out at a moment, now unless given. */
export async function readLimit(deps: LimitDeps, tenant: Tenant, at = deps.clock.now()): Promise<PayoutLimit> {
  return limitAt(await listRows(deps), tenant, at);
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

/** For whoever knows that they have changed. */
export function forgetLimits(database: Database): void {
  readers.delete(database);
}

/** Every row of the operator's, past and future, as it stands in the database now: for the operator. */
export async function listLimits({ database }: LimitDeps): Promise<readonly PayoutLimitRow[]> {
  const rows = await database.query(listPayoutLimits);
  return rows.filter(({ owner }) => owner === 'OPERATOR');
}
