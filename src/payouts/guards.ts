import type { MovementParts } from '../approvals/index.ts';
import type { Allowance } from '../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { lagosDay } from '../platform/lagos-time.ts';
import type { Tenant } from '../platform/tenant.ts';
import { forgetKeys } from './duplicates/dedupe-keys.ts';
import { DAY_SCOPE } from './limits/day-scope.ts';
import { dailyLimitExceeded, payoutLimitExceeded } from './limits/errors.ts';
import { type LimitDeps, readLimit } from './limits/read-limits.ts';
import type { PayoutRecord } from './queries.ts';

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

/**
 * What a payout that failed, or was called off, gives back: its part of the day's limit, and its dedupe keys. For the
 * movement that ends it. A payout that succeeded keeps its part of the limit, also when the bank returns the money.
 */
export function releaseGuards(payout: PayoutRecord): Required<Pick<MovementParts, 'allowances' | 'writes'>> {
  const { counted_on: period, amount_minor } = payout;
  const exceeded = () => {
    throw new Error('giving back exceeds nothing');
  };
  const counted = { scope: DAY_SCOPE, amountMinor: -amount_minor, limitMinor: null, exceeded };
  return { ...forgetKeys(payout), allowances: period === null ? [] : [{ ...counted, period }] };
}
