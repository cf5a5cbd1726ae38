import type { LimitUsage } from '../ledger/index.ts';
import { type Currency, DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { type CachedValue, cacheOne } from '../platform/cache.ts';
import { type Clock, lagosDay } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
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

/** What a tenant pays out in one day: the scope of the limit usage, whose period is the day in Lagos, `2026-11-20`. */
export const DAY_SCOPE = 'PAYOUT_DAY';

export const payoutLimitExceeded = (limitMinor: bigint, currency: Currency) =>
  new AppError(
    'refused',
    'PAYOUT_LIMIT_EXCEEDED',
    `This is more than one payout may be: at most ${formatMoney(limitMinor, currency)}. Please contact support for more.`,
  );

/** `leftMinor` is below zero where the limit was lowered beneath what is used. */
export function dailyLimitExceeded(limitMinor: bigint, leftMinor: bigint, currency: Currency): AppError {
  const [limit, used, left] = [limitMinor, limitMinor - leftMinor, leftMinor < 0n ? 0n : leftMinor].map((minor) =>
    formatMoney(minor, currency),
  );
  return new AppError(
    'refused',
    'DAILY_LIMIT_EXCEEDED',
    `This is more than is left for the day: ${limit} may be paid out a day, ${used} is used and ${left} is left. ` +
      'A new day begins at midnight in Lagos.',
  );
}

/** The limits in force now, in minor units; null is no limit. */
export async function readPayoutLimit(
  deps: LimitDeps,
  tenant: Tenant,
): Promise<{ perPayoutMinor: bigint | null; perDayMinor: bigint | null }> {
  return readLimit(deps, tenant);
}

/** @throws AppError 422 `PAYOUT_LIMIT_EXCEEDED` for an amount, without charges, that no single payout may have. */
export async function checkPayoutLimit(deps: LimitDeps, tenant: Tenant, amountMinor: bigint): Promise<void> {
  const { perPayoutMinor } = await readLimit(deps, tenant);
  if (perPayoutMinor !== null && amountMinor > perPayoutMinor) {
    throw payoutLimitExceeded(perPayoutMinor, DEFAULT_CURRENCY);
  }
}

/**
 * For the movement that accepts payouts at `at`: counts their amounts, without charges, against the day's limit, which
 * refuses the movement with 422 `DAILY_LIMIT_EXCEEDED`. Each payout keeps `countedOn`, so that it can release its part.
 */
export async function dayLimitUsage(
  deps: LimitDeps,
  tenant: Tenant,
  totalAmountMinor: bigint,
  at: Date,
): Promise<{ countedOn: string; limitUsages: readonly LimitUsage[] }> {
  const { perDayMinor } = await readLimit(deps, tenant, at);
  const countedOn = lagosDay(at);
  const exceeded = (leftMinor: bigint) => dailyLimitExceeded(perDayMinor ?? 0n, leftMinor, DEFAULT_CURRENCY);
  const limitUsage = { scope: DAY_SCOPE, period: countedOn, amountMinor: totalAmountMinor, limitMinor: perDayMinor };
  return { countedOn, limitUsages: [{ ...limitUsage, exceeded }] };
}
