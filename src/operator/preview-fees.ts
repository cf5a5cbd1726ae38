import {
  type FeeChange,
  type FeeRule,
  type PayoutPurpose,
  planFeeChange,
  type Quote,
  quotePayout,
} from '../fees/index.ts';
import { AppError } from '../platform/errors.ts';

export interface FeePreview {
  at: Date;
  begins: Date;
  lines: { amountMinor: bigint; before: Quote | null; after: Quote | null }[];
}

/** What a change of fees would make of some amounts, in minor units. Changes nothing. @throws AppError as `planFeeChange`. */
export function previewFees(
  present: readonly FeeRule[],
  change: FeeChange,
  asked: { amountsMinor: readonly bigint[]; at: Date | undefined; purpose: PayoutPurpose | undefined; now: Date },
): FeePreview {
  const plan = planFeeChange(present, change, asked.now);
  const at = asked.at ?? plan.from;
  const price = (rules: readonly FeeRule[], amountMinor: bigint) =>
    quoteOrNull(rules, { amountMinor, currency: 'NGN', purpose: asked.purpose, at });
  const lines = asked.amountsMinor.map((amountMinor) => ({
    amountMinor,
    before: price(present, amountMinor),
    after: price(plan.rules, amountMinor),
  }));
  return { at, begins: plan.from, lines };
}

function quoteOrNull(rules: readonly FeeRule[], input: Parameters<typeof quotePayout>[1]): Quote | null {
  try {
    return quotePayout(rules, input);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
