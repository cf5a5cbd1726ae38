import type { Mode, Tenant } from '../platform/tenant.ts';

/** What a provider says of an amount that it took from a settlement. */
export interface DeductionFacts {
  /** Name of the provider account. */
  rail: string;
  mode: Mode;
  /** What the line says that it is; null where it does not say. A finder of the other kind has no answer to it. */
  kind: 'REFUND' | 'DISPUTE' | null;
  /** The provider's id of the refund or dispute, or of the payment that it is of: providers do either. */
  providerTransactionId: string | null;
  sessionId: string | null;
  /** A reference beside it: ours or the provider's. */
  reference: string | null;
  /** What was taken, kobo, above zero. */
  amountMinor: bigint;
  /**
   * Subjects that other lines were found to be of. Where a line names a payment that has several refunds, another one of
   * them is meant; where it names the subject itself, there is no other.
   */
  except: readonly string[];
}

/** The refund or dispute of ours that a deduction is of. */
export interface DeductionOwner {
  tenant: Tenant;
  subjectType: 'REFUND' | 'DISPUTE';
  subjectId: string;
  /** What the books took for it from what the provider owes, kobo. */
  amountMinor: bigint;
  /** The account of what the provider owes that it was taken from. */
  receivableId: string;
  /** Why the provider should not have taken it, such as a refund that failed: a sentence. Absent where it should. */
  differs?: string | undefined;
}

/** Asked about each deduction, by the module that has refunds, and by the one that has disputes. Moves nothing. */
export type FindDeductionOwner = (facts: DeductionFacts) => Promise<DeductionOwner | undefined>;
