import { cacheOne } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type Availability, type AvailabilityRule, availabilityAt } from './availability-rule.ts';
import { listAvailabilityRules } from './queries.ts';

/** A rule that an operator adds reaches every process within this. Rules dated ahead need no reload at all. */
export const RULES_MAX_AGE_MS = 60_000;

/** When a payment in that is confirmed at a moment is available to its merchant. */
export type FindAvailability = (tenant: Tenant, at: Date) => Promise<Availability>;

/** As one process knows the rules. */
export function createAvailability({ database, clock }: { database: Database; clock: Clock }): FindAvailability {
  const known = cacheOne(clock, RULES_MAX_AGE_MS, () => database.query(listAvailabilityRules));
  return async (tenant, at) => availabilityAt(await known(), tenant, at);
}

/** Every rule, past and future, as the database has them now: for the operator. */
export const listAvailability = (queries: Queries): Promise<AvailabilityRule[]> => queries.query(listAvailabilityRules);
