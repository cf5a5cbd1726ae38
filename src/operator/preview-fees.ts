import {
  type CollectionCharges,
  type FeeChange,
  type FeeRule,
  type PayoutPurpose,
  planFeeChange,
  type Quote,
  quoteCollection,
  quotePayout,
} from '../fees/index.ts';
import { AppError } from '../platform/errors.ts';

export interface FeePreview {
  at: Date;
  begins: Date;
  lines: {
    amountMinor: bigint;
    before: Quote | null;
    after: Quote | null;
    /** Of a payment in of the amount. */
    collectionBefore: CollectionCharges | null;
    collectionAfter: CollectionCharges | null;
  }[];
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
    orNull(() => quotePayout(rules, { amountMinor, currency: 'NGN', purpose: asked.purpose, at }));
  const collection = (rules: readonly FeeRule[], amountMinor: bigint) =>
    orNull(() => quoteCollection(rules, { amountMinor, currency: 'NGN', at }));
  const lines = asked.amountsMinor.map((amountMinor) => ({
    amountMinor,
    before: price(present, amountMinor),
    after: price(plan.rules, amountMinor),
    collectionBefore: collection(present, amountMinor),
    collectionAfter: collection(plan.rules, amountMinor),
  }));
  return { at, begins: plan.from, lines };
}

function orNull<Priced>(price: () => Priced): Priced | null {
  try {
    return price();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
