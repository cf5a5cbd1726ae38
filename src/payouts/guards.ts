import type { Allowance, Mark, Movement, Unmark } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { lagosDay } from '../platform/lagos-time.ts';
import type { Tenant } from '../platform/tenant.ts';
import { DAY_SCOPE } from './limits/day-scope.ts';
import { dailyLimitExceeded, payoutDuplicate, payoutLimitExceeded } from './limits/errors.ts';
import { type LimitDeps, readLimit } from './limits/read-limits.ts';
import type { PayoutRecord } from './queries.ts';

/** One amount to one account. */
const DUPLICATE_SCOPE = 'PAYOUT_DUPLICATE';

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

type Marked = Pick<PayoutRecord, 'beneficiary_bank_code' | 'beneficiary_account_number' | 'amount_minor' | 'currency'>;

/**
 * What a duplicate of this payout would carry too. That of a schedule has its day in Lagos, so that twelve monthly
 * salaries are no duplicates of each other.
 */
export function markOf(payout: Marked, scheduledFor?: Date): string {
  const { beneficiary_bank_code, beneficiary_account_number, amount_minor } = payout;
  const day = scheduledFor === undefined ? [] : [lagosDay(scheduledFor)];
  return [beneficiary_bank_code, beneficiary_account_number, amount_minor, ...day].join(':');
}

/**
 * Refuses, with 409 `PAYOUT_DUPLICATE`, what was accepted within the window, however many come at once; where a
 * duplicate is allowed it is only noted.
 */
export async function duplicateMark(
  deps: LimitDeps,
  tenant: Tenant,
  payout: Marked & { mark: string },
  allowDuplicate: boolean,
): Promise<Mark> {
  const { duplicateWindowMs } = await readLimit(deps, tenant);
  const amount = formatMoney(payout.amount_minor, payout.currency);
  return {
    scope: DUPLICATE_SCOPE,
    value: payout.mark,
    withinMs: allowDuplicate ? null : duplicateWindowMs,
    seen: (transactionId) => payoutDuplicate(amount, transactionId, duplicateWindowMs),
  };
}

/** For a schedule that fires: noted without a question, which was asked when the schedule was made. */
export function notedMark(deps: LimitDeps, tenant: Tenant, payout: Marked & { mark: string }): Promise<Mark> {
  return duplicateMark(deps, tenant, payout, true);
}

/** Forgets the mark of a payout, so that the same may be paid again at once. */
export function forgetMark({ id, mark }: Pick<PayoutRecord, 'id' | 'mark'>): Unmark[] {
  return mark === null ? [] : [{ scope: DUPLICATE_SCOPE, value: mark, subjectId: id }];
}

/**
 * What a payout that failed, or was called off, gives back: its part of the day's limit, and its mark. For the movement
 * that ends it; a payout that succeeded keeps both, also when the bank returns the money later.
 */
export function releaseGuards(payout: PayoutRecord): Pick<Movement, 'allowances' | 'unmarks'> {
  const { counted_on: period, amount_minor } = payout;
  const unmarks = forgetMark(payout);
  if (period === null) return { unmarks };
  const exceeded = () => {
    throw new Error('giving back exceeds nothing');
  };
  return {
    unmarks,
    allowances: [{ scope: DAY_SCOPE, period, amountMinor: -amount_minor, limitMinor: null, exceeded }],
  };
}
