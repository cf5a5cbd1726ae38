import type { Currency } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';

/** 503: nobody has said what a payout costs. Free is a rule of zero, never the absence of one. */
export function feeRuleMissing(currency: Currency): AppError {
  return new AppError(
    'unavailable',
    'FEE_RULE_MISSING',
    `No transfer fee is set for this ${currency} amount, so it cannot be priced. Please contact support.`,
  );
}

/** 503: two rows price the same thing. Choosing one would be a guess with a merchant's money. */
export function feeRulesConflict(ruleIds: readonly string[]): AppError {
  return new AppError(
    'unavailable',
    'FEE_RULES_CONFLICT',
    'The fee for this payout is set twice, so it cannot be priced. Please contact support.',
    { cause: new Error(`fee rules in force at the same time: ${ruleIds.join(', ')}`) },
  );
}
