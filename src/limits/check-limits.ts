import { type LimitUsage, type Movement, readLimitUsage, walletsTotalCheck } from '../ledger/index.ts';
import { type Currency, DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { cacheOne, createCache } from '../platform/cache.ts';
import { type Clock, lagosDay } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import { limitAt, limitsAt, type PayoutLimit, type PayoutLimitRow } from './payout-limit.ts';
import { listLimitsForAll, listMerchantLimits, listOperatorLimits } from './queries.ts';
import { findMerchantTier, listTierLimits, type Tier, type TierLimitRow } from './tier-queries.ts';
import { tierRowAt } from './tiers.ts';

/** A limit that an operator sets reaches every process within this time. Limits dated ahead need no reload at all. */
const LIMITS_MAX_AGE_MS = 60_000;
/** Tenants whose limits are cached, some hundred bytes each; beyond it the least recently used are dropped. */
const MAX_TENANTS = 20_000;
/** Limits for everybody: the operator's limits for all merchants, and those of all tiers. */
interface LimitsForAll {
  forAll: readonly PayoutLimitRow[];
  tierLimits: readonly TierLimitRow[];
}

/** Limits for one tenant alone. */
interface LimitsOfOne {
  ofOne: readonly PayoutLimitRow[];
  tier: Tier | null;
}

/** All limits of one tenant, past and future: the time of a payout decides which are in force. */
interface TenantLimits {
  rows: readonly PayoutLimitRow[];
  tierAt: (at: Date) => TierLimitRow | undefined;
}

/** The limits of tenants as one process knows them. */
export interface KnownLimits {
  (tenant: Tenant): Promise<TenantLimits>;
  /** Called by code that has changed the limits of one tenant, or those for all. */
  forget(tenant?: Tenant): void;
}

export function createKnownLimits({ database, clock }: { database: Database; clock: Clock }): KnownLimits {
  const forAll = cacheOne(clock, LIMITS_MAX_AGE_MS, () => readLimitsForAll(database));
  const ofOne = createCache<LimitsOfOne>({ clock, ttlMs: LIMITS_MAX_AGE_MS, max: MAX_TENANTS });
  /** What was made of both, for as long as both are cached. */
  const made = new WeakMap<LimitsOfOne, { of: LimitsForAll; limits: TenantLimits }>();
  const known = async (tenant: Tenant) => {
    const reading = ofOne.read(tenantKey(tenant), () => readLimitsOfOne(database, tenant));
    const all = await forAll();
    const one = await reading;
    const before = made.get(one);
    if (before?.of === all) return before.limits;
    const limits = limitsOf(tenant, all, one);
    made.set(one, { of: all, limits });
    return limits;
  };
  return Object.assign(known, {
    forget: (tenant?: Tenant) => (tenant === undefined ? forAll.forget() : ofOne.forget(tenantKey(tenant))),
  });
}

async function readLimitsForAll(queries: Queries): Promise<LimitsForAll> {
  const [forAll, tierLimits] = await Promise.all([queries.query(listLimitsForAll), queries.query(listTierLimits)]);
  return { forAll, tierLimits };
}

async function readLimitsOfOne(queries: Queries, { merchantId, mode }: Tenant): Promise<LimitsOfOne> {
  const [ofOne, [last]] = await Promise.all([
    queries.query(listMerchantLimits, [merchantId, mode]),
    queries.query(findMerchantTier, [merchantId, mode]),
  ]);
  return { ofOne, tier: last?.tier ?? null };
}

const limitsOf = ({ mode }: Tenant, { forAll, tierLimits }: LimitsForAll, { ofOne, tier }: LimitsOfOne) => ({
  rows: [...forAll, ...ofOne],
  tierAt: (at: Date) => (tier === null ? undefined : tierRowAt(tierLimits, { tier, mode }, at)),
});

async function readTenantLimits(queries: Queries, tenant: Tenant): Promise<TenantLimits> {
  return limitsOf(tenant, ...(await Promise.all([readLimitsForAll(queries), readLimitsOfOne(queries, tenant)])));
}

export interface LimitDeps {
  database: Database;
  clock: Clock;
  payoutLimits: KnownLimits;
}

/** What this tenant may pay out at a given time, now unless given. */
export async function readLimit(deps: LimitDeps, tenant: Tenant, at = deps.clock.now()): Promise<PayoutLimit> {
  const { rows, tierAt } = await deps.payoutLimits(tenant);
  return limitAt(rows, tierAt(at), tenant, at);
}

/**
 * The tenant's own limits and the operator's, each by itself, and the stricter of both, as the database has them now.
 */
export async function readBothLimits(
  { queries, clock }: { queries: Queries; clock: Clock },
  tenant: Tenant,
): Promise<Record<'own' | 'operator' | 'limit', PayoutLimit> & { tier: TierLimitRow | undefined }> {
  const { rows, tierAt } = await readTenantLimits(queries, tenant);
  const now = clock.now();
  const tier = tierAt(now);
  return { ...limitsAt(rows, tenant, now), tier, limit: limitAt(rows, tier, tenant, now) };
}

/**
 * The operator's rows, past and future, as the database has them now: those of one merchant, or all. For the operator.
 */
export function listLimits(
  { database }: { database: Database },
  merchantId: string | undefined,
): Promise<PayoutLimitRow[]> {
  return database.query(listOperatorLimits, [merchantId ?? null]);
}

/** Scope of a limit usage: what a tenant pays out in one day in Lagos, which is the period, `2026-11-20`. */
export const DAY_SCOPE = 'PAYOUT_DAY';

const payoutLimitExceeded = (limitMinor: bigint, currency: Currency) =>
  new AppError(
    'refused',
    'PAYOUT_LIMIT_EXCEEDED',
    `This is more than one payout may be: at most ${formatMoney(limitMinor, currency)}. Please contact support for more.`,
  );

/** `leftMinor` is below zero where the limit was lowered beneath what is used. */
function dailyLimitExceeded(limitMinor: bigint, leftMinor: bigint, currency: Currency): AppError {
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

/** Scope of what is counted of a day of payments in, for merchants whose tier limits them. */
const COLLECTION_DAY_SCOPE = 'COLLECTION_DAY';

/** The refusal of a credit by the merchant's tier: the credit is then held. Never returned to a client. */
const aboveTier = (which: TierInLimit, limitMinor: bigint) =>
  new AppError('refused', 'CREDIT_ABOVE_TIER', `${which} ${limitMinor}`);
export const CREDIT_ABOVE_TIER = 'CREDIT_ABOVE_TIER';

export type TierInLimit = 'SINGLE_IN' | 'DAILY_IN' | 'BALANCE';

/** What the tier requires of a credit. */
export interface TierInflow {
  tier: Tier;
  /** The limit, where one credit alone exceeds it. */
  aboveSingleMinor: bigint | null;
  /**
   * For the movement that credits it: it is refused with `CREDIT_ABOVE_TIER` where it would exceed a day's limit or a
   * balance.
   */
  parts: Pick<Movement, 'limitUsages' | 'checks' | 'changes'>;
}

/**
 * What the tenant's tier requires of a credit of so much, in minor units; undefined where it has no limit. Credits that
 * two people attribute, and manual credits, are not limited by the tier.
 */
export async function tierInflow(
  deps: Pick<LimitDeps, 'payoutLimits'>,
  tenant: Tenant,
  amountMinor: bigint,
  at: Date,
): Promise<TierInflow | undefined> {
  const limit = (await deps.payoutLimits(tenant)).tierAt(at);
  if (limit === undefined) return undefined;
  const { tier, singleInMinor, dailyInMinor, balanceMinor } = limit;
  const day = dailyInMinor === null ? [] : [dayInUsage(dailyInMinor, amountMinor, at)];
  const balance =
    balanceMinor === null
      ? {}
      : walletsTotalCheck(tenant, {
          addedMinor: amountMinor,
          limitMinor: balanceMinor,
          above: () => aboveTier('BALANCE', balanceMinor),
        });
  return {
    tier,
    aboveSingleMinor: singleInMinor !== null && amountMinor > singleInMinor ? singleInMinor : null,
    parts: { limitUsages: day, ...balance },
  };
}

function dayInUsage(limitMinor: bigint, amountMinor: bigint, at: Date): LimitUsage {
  const refusal = () => aboveTier('DAILY_IN', limitMinor);
  return { scope: COLLECTION_DAY_SCOPE, period: lagosDay(at), amountMinor, limitMinor, refusal };
}

/** The limits in force now, in minor units; null is no limit. */
export async function readPayoutLimit(
  deps: LimitDeps,
  tenant: Tenant,
): Promise<{ perPayoutMinor: bigint | null; perDayMinor: bigint | null }> {
  return readLimit(deps, tenant);
}

/** What may still be paid out on the day of `at`, in minor units: zero where it is used up, null without a limit. */
export async function readLeftOfDay(deps: LimitDeps, tenant: Tenant, at: Date): Promise<bigint | null> {
  const { perDayMinor } = await readLimit(deps, tenant, at);
  if (perDayMinor === null) return null;
  const usedMinor = await readLimitUsage(deps.database, tenant, DAY_SCOPE, lagosDay(at));
  return leftOf(perDayMinor, usedMinor);
}

/** Zero also where the limit was lowered beneath what is used. */
export const leftOf = (limitMinor: bigint, usedMinor: bigint): bigint =>
  limitMinor > usedMinor ? limitMinor - usedMinor : 0n;

/** @throws AppError 422 `PAYOUT_LIMIT_EXCEEDED` for an amount, without charges, that no single payout may have. */
export async function checkPayoutLimit(deps: LimitDeps, tenant: Tenant, amountMinor: bigint): Promise<void> {
  const { perPayoutMinor } = await readLimit(deps, tenant);
  if (perPayoutMinor !== null && amountMinor > perPayoutMinor) {
    throw payoutLimitExceeded(perPayoutMinor, DEFAULT_CURRENCY);
  }
}

/**
 * For the movement that accepts payouts at `at`: counts their amounts, without charges, against the day's limit, and
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
  const refusal = (leftMinor: bigint) => dailyLimitExceeded(perDayMinor ?? 0n, leftMinor, DEFAULT_CURRENCY);
  const limitUsage = { scope: DAY_SCOPE, period: countedOn, amountMinor: totalAmountMinor, limitMinor: perDayMinor };
  return { countedOn, limitUsages: [{ ...limitUsage, refusal }] };
}
