import { type PaymentTerms, ruleInForce } from '../availability/index.ts';
import { percentage } from '../money/index.ts';
import { cacheOne } from '../platform/cache.ts';
import { type Clock, DAY_MS, lagosDay, startOfLagosDay } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { insertReserveRule, listReserveRules, type ReserveRow, type ReserveRule } from './queries.ts';

/** A rule that an operator adds reaches every process within this time. Rules dated ahead need no reload at all. */
const RULES_MAX_AGE_MS = 60_000;

/**
 * A rule may begin no sooner: every process knows it by then, so that no two of them keep different parts of a payment.
 */
const NOTICE_MS = 2 * RULES_MAX_AGE_MS;

/** Every rule, past and future, as the database has them now: for the operator. */
export const readReserveRules = (queries: Queries): Promise<ReserveRule[]> => queries.query(listReserveRules);

/** A rule and its beginning; undefined: as soon as every process knows it, which is in two minutes. */
export type NewReserveRule = Omit<ReserveRule, 'id' | 'effectiveFrom'> & { effectiveFrom: Date | undefined };

/**
 * Adds a dated rule. What was kept before is not affected, and is released on its day. A rate of 0 ends a reserve.
 * @throws AppError 400 `VALIDATION_FAILED` for a moment that is less than two minutes ahead.
 */
export async function setReserveRule(
  { database, clock }: { database: Database; clock: Clock },
  given: NewReserveRule,
): Promise<ReserveRule> {
  const now = clock.now();
  const soonest = new Date(now.getTime() + NOTICE_MS);
  const rule: ReserveRule = { ...given, id: newId(), effectiveFrom: given.effectiveFrom ?? soonest };
  if (rule.effectiveFrom < soonest) {
    throw invalidField('effectiveFrom', `must be at least ${NOTICE_MS / 60_000} minutes ahead`);
  }
  const { id, merchantId, mode, channel, rateBasisPoints, days, effectiveFrom, source } = rule;
  const made = [id, merchantId, mode, channel, rateBasisPoints, days, effectiveFrom, source, now];
  await database.query(insertReserveRule, made);
  return rule;
}

/** A payment that is on its way to a wallet. */
export interface CreditedPayment extends PaymentTerms {
  /** In kobo: the whole amount, and what the wallet has of it after fee and VAT. */
  amountMinor: bigint;
  netMinor: bigint;
}

/** What is kept of a payment as it is credited. */
export interface ReserveToKeep {
  /** The merchant's reserve account. */
  accountId: string;
  terms: Pick<ReserveRow, 'rule_id' | 'amount_minor' | 'release_on' | 'due_at'>;
}

/** What of a payment is kept, by the rule in force; null: nothing. */
export type FindReserve = (payment: CreditedPayment) => Promise<ReserveToKeep | null>;

/**
 * Uses the rules as this process knows them.
 * @param accountOf the account of a merchant's books that holds its reserve
 */
export function createFindReserve({
  database,
  clock,
  accountOf,
}: {
  database: Database;
  clock: Clock;
  accountOf: (tenant: Tenant) => Promise<string>;
}): FindReserve {
  const known = cacheOne(clock, RULES_MAX_AGE_MS, () => database.query(listReserveRules));
  return async (payment) => {
    const terms = reserveAt(await known(), payment);
    return terms && { accountId: await accountOf(payment.tenant), terms };
  };
}

/**
 * A percentage of the whole payment; a fraction of a kobo is not kept. Fee and VAT go first: never more is kept than
 * they leave, so that no credit lowers a wallet's balance.
 */
export function reserveAt(rules: readonly ReserveRule[], payment: CreditedPayment): ReserveToKeep['terms'] | null {
  const rule = ruleInForce(rules, payment);
  if (rule === undefined) return null;
  const share = percentage(payment.amountMinor, rule.rateBasisPoints, 'DOWN');
  const amountMinor = share < payment.netMinor ? share : payment.netMinor;
  if (amountMinor <= 0n) return null;
  const releaseOn = lagosDay(new Date(payment.at.getTime() + rule.days * DAY_MS));
  return { rule_id: rule.id, amount_minor: amountMinor, release_on: releaseOn, due_at: startOfLagosDay(releaseOn) };
}
