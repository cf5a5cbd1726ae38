import { type Currency, formatMoney } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';
import type { PlanFault } from './rule-plan.ts';

/** Error codes of pricing a payout. */
export const FEE_ERRORS = ['FEE_RULE_MISSING', 'FEE_RULES_CONFLICT'] as const;

/** 503: there is no rule for what a payout costs. A free payout is a rule of zero, never the absence of one. */
export function feeRuleMissing(currency: Currency): AppError {
  return new AppError(
    'unavailable',
    'FEE_RULE_MISSING',
    `No transfer fee is set for this ${currency} amount, so it cannot be priced. Please contact support.`,
  );
}

/** 503: two rules price the same thing. Choosing one would be a guess with a merchant's money. */
export function feeRulesConflict(ruleIds: readonly string[]): AppError {
  return new AppError(
    'unavailable',
    'FEE_RULES_CONFLICT',
    'The fee for this payment is set twice, so it cannot be priced. Please contact support.',
    { cause: new Error(`fee rules in force at the same time: ${ruleIds.join(', ')}`) },
  );
}

/** 422: the operator takes so much of every payment that none leaves the amount. */
export const collectionFeeNotCovered = () =>
  new AppError(
    'refused',
    'COLLECTION_FEE_NOT_COVERED',
    'No payment is large enough to leave this amount after the fee, so the customer cannot bear it.',
  );

export const feeRuleNotFound = (id: string) =>
  new AppError('not_found', 'FEE_RULE_NOT_FOUND', `There is no fee rule ${id}.`);

export const feeChangeTooSoon = (minutes: number) =>
  new AppError(
    'refused',
    'FEE_CHANGE_TOO_SOON',
    `A change of fees begins at least ${minutes} minutes from now, so that every process knows it in time.`,
  );

export const feePlanOverlap = ({ ruleIds, amountMinor, at }: PlanFault) =>
  new AppError(
    'conflict',
    'FEE_RULES_OVERLAP',
    `From ${at.toISOString()} a payment of ${formatMoney(amountMinor, 'NGN')} would be charged twice, by ` +
      `${ruleIds.join(' and ')}. End one of them with this change.`,
  );

export const feePlanGap = ({ amountMinor, at }: PlanFault) =>
  new AppError(
    'conflict',
    'FEE_RULES_GAP',
    `From ${at.toISOString()} no transfer fee would be set for a payout of ${formatMoney(amountMinor, 'NGN')}, so it ` +
      'could not be sent. Free is a rule of zero.',
  );
