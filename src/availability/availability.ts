import { cacheOne } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import {
  type Availability,
  type AvailabilityRule,
  availabilityAt,
  insertAvailabilityRule,
  listAvailabilityRules,
  type PaymentTerms,
} from './queries.ts';

/** A rule that an operator adds reaches every process within this. Rules dated ahead need no reload at all. */
const RULES_MAX_AGE_MS = 60_000;

/** When a payment in that is confirmed at a moment is available to its merchant. */
export type FindAvailability = (payment: PaymentTerms) => Promise<Availability>;

/** As one process knows the rules. */
export function createAvailability({ database, clock }: { database: Database; clock: Clock }): FindAvailability {
  const known = cacheOne(clock, RULES_MAX_AGE_MS, () => database.query(listAvailabilityRules));
  return async (payment) => availabilityAt(await known(), payment);
}

/** Every rule, past and future, as the database has them now: for the operator. */
export const listAvailability = (queries: Queries): Promise<AvailabilityRule[]> => queries.query(listAvailabilityRules);

/** A rule may begin no sooner: every process knows it by then, so that no two of them book the same payment differently. */
const NOTICE_MS = 2 * RULES_MAX_AGE_MS;

/** What a rule says, and from when; undefined: as soon as every process knows it, which is in two minutes. */
export type NewAvailability = Omit<AvailabilityRule, 'id' | 'effectiveFrom'> & { effectiveFrom: Date | undefined };

/**
 * Adds a dated rule. What was confirmed before stays as it is: a payment that waits is released by its settlement, whatever
 * the rule is by then.
 * @throws AppError 400 `VALIDATION_FAILED` for a moment that is less than two minutes ahead.
 */
export async function setAvailability(
  { database, clock }: { database: Database; clock: Clock },
  given: NewAvailability,
): Promise<AvailabilityRule> {
  const now = clock.now();
  const soonest = new Date(now.getTime() + NOTICE_MS);
  const rule: AvailabilityRule = { ...given, id: newId(), effectiveFrom: given.effectiveFrom ?? soonest };
  if (rule.effectiveFrom < soonest) {
    throw invalidField('effectiveFrom', `must be at least ${NOTICE_MS / 60_000} minutes ahead`);
  }
  const { id, merchantId, mode, channel, availability, effectiveFrom, source } = rule;
  const made = [id, merchantId, mode, availability, effectiveFrom, source, now, channel];
  await database.query(insertAvailabilityRule, made);
  return rule;
}
