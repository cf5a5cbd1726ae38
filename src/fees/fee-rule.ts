import type { Currency, Rounding } from '../money/index.ts';

/**
 * One dated row of `fee_rules`: `flatMinor` plus `rateBasisPoints` of a base, which is the payout's amount for
 * `TRANSFER_FEE` and `STAMP_DUTY`, the amount of a payment in for `COLLECTION_FEE`, and the fee for `VAT`.
 */
export interface FeeRule {
  id: string;
  currency: Currency;
  kind: 'TRANSFER_FEE' | 'VAT' | 'STAMP_DUTY' | 'COLLECTION_FEE';
  /** Both bounds are included; null has no upper end. */
  minAmountMinor: bigint;
  maxAmountMinor: bigint | null;
  flatMinor: bigint;
  rateBasisPoints: number;
  /** The most that it charges; null is no cap. */
  capMinor: bigint | null;
  /**
   * Only what the sender bears is part of a payout's quote. A `COLLECTION_FEE` is the receiver's, the merchant's, from
   * whose wallet it is taken.
   */
  payer: 'SENDER' | 'RECEIVER';
  exemptPurposes: readonly string[];
  rounding: Rounding;
  /** In force from this instant up to, not at, `effectiveTo`. */
  effectiveFrom: Date;
  effectiveTo: Date | null;
  /** The law, circular or decision behind it. */
  source: string;
}
