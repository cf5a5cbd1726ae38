import type { Tenant } from '../platform/tenant.ts';
import type { ProviderWebhookRequest } from './provider-webhook.ts';
import type { BeneficiaryAccount } from './reported.ts';

/** What sets the refunds of one provider apart from another's, as data. */
export interface RefundCapabilities {
  /** A part of a payment may go back; false: only all of it, once. */
  partial: boolean;
  /** Minor units; less than this is refused. */
  minAmountMinor: bigint;
  /** It makes one refund under our reference, however often it is asked. False: it is found again by what we wrote into it. */
  isIdempotent: boolean;
  /** How old a send has to be before "not found" lets the same be sent again. */
  notFoundAfterMs: number;
  /** What the provider takes of the merchant's words. */
  maxNote: number;
}

/** One refund, as it is sent and asked about: the same each time. */
export interface RefundOrder {
  tenant: Tenant;
  /** Ours: 32 hex digits. */
  reference: string;
  /** The provider's own id of the refund, once it is known. */
  providerRefundId: string | null;
  /** The payment, by the provider's names of it. */
  providerTransactionId: string;
  providerReference: string | null;
  /** What of the payment goes back, minor units. */
  amountMinor: bigint;
  /** ISO 4217. */
  currency: string;
  note: string;
  /** The payer's account, where it had to be given. */
  account: (BeneficiaryAccount & { accountName: string }) | null;
  /** Sandbox only. */
  scenario?: string | undefined;
}

/** What the provider says that this is about, as it says it; null is a fact that it left out. */
export interface ReportedRefund {
  reference: string | null;
  providerTransactionId: string | null;
  amountMinor: bigint | null;
  currency: string | null;
}

export const NO_REFUND_REPORTED: ReportedRefund = {
  reference: null,
  providerTransactionId: null,
  amountMinor: null,
  currency: null,
};

/**
 * `succeeded`: the money is on its way to the payer, finally. `failed`: it never will be. `needs_details`: the provider wants
 * the payer's account. `pending`: ask again. `not_found` is an answer to a query only. `unknown` is the default: only a
 * listed status is anything else.
 */
export type RefundOutcome = 'succeeded' | 'failed' | 'needs_details' | 'pending' | 'not_found' | 'unknown';

export interface RefundAnswer {
  outcome: RefundOutcome;
  /** The provider's own code, kept as evidence; null where it did not answer. */
  code: string | null;
  /** Our stable UPPER_SNAKE word for it; null where there is nothing to explain. */
  reason: string | null;
  message: string;
  providerRefundId: string | null;
  at: Date;
  reported: ReportedRefund;
}

/** The answer to what sends something. `sent` is false only where it is certain that nothing left. */
export interface SentRefundAnswer extends RefundAnswer {
  sent: boolean;
}

/** Somebody says that something became of a refund: what names it. It moves nothing; a query is what counts. */
export interface RefundHint {
  /** Our reference, the provider's id of the refund, or its names of the payment: each leads to the refunds that have it. */
  keys: readonly string[];
}

/**
 * The refunds of a provider account, for the payments that came by it: one of its roles. An adapter may throw; every method
 * honours its signal. Adapters know nothing of the books.
 */
export interface RefundProvider {
  readonly capabilities: RefundCapabilities;
  /** Under one reference it executes at most once where the provider is idempotent. @throws NotSentError */
  refund(order: RefundOrder, signal: AbortSignal): Promise<RefundAnswer>;
  queryRefund(order: RefundOrder, signal: AbortSignal): Promise<RefundAnswer>;
  /** Gives the payer's account of a refund that needs it. @throws NotSentError */
  giveDetails(order: RefundOrder, signal: AbortSignal): Promise<RefundAnswer>;
  /**
   * The refunds that a webhook is about; none where it is about something else.
   * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID` or `PROVIDER_WEBHOOK_MALFORMED`
   */
  readRefundWebhook(request: ProviderWebhookRequest): Promise<RefundHint[]>;
}
