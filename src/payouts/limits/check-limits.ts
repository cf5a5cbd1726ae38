import type { Allowance } from '../../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../../money/index.ts';
import { lagosDay } from '../../platform/lagos-time.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { DAY_SCOPE } from './day-scope.ts';
import { dailyLimitExceeded, payoutLimitExceeded } from './errors.ts';
import { type LimitDeps, readLimit } from './read-limits.ts';

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
 * refuses the movement with 422 `DAILY_LIMIT_EXCEEDED`. Each payout keeps `countedOn`, so that it can give back.
 */
export async function dayAllowance(
  deps: LimitDeps,
  tenant: Tenant,
  totalAmountMinor: bigint,
  at: Date,
): Promise<{ countedOn: string; allowances: readonly Allowance[] }> {
  const { perDayMinor } = await readLimit(deps, tenant, at);
  const countedOn = lagosDay(at);
  const exceeded = (leftMinor: bigint) => dailyLimitExceeded(perDayMinor ?? 0n, leftMinor, DEFAULT_CURRENCY);
  const allowance = { scope: DAY_SCOPE, period: countedOn, amountMinor: totalAmountMinor, limitMinor: perDayMinor };
  return { countedOn, allowances: [{ ...allowance, exceeded }] };
}
