import type { Mode, Tenant } from '../platform/tenant.ts';
import type { ProviderWebhookRequest } from './provider-webhook.ts';

/** What sets one provider's disputes apart from another's, as data. A provider without an interface for them has no role. */
export interface DisputeCapabilities {
  /** Files that it takes as evidence; 0: words alone. */
  evidenceFiles: number;
  /** Without one of these it takes no evidence. */
  needs: readonly ('CUSTOMER' | 'SERVICE_DETAILS')[];
}

export type DisputeCategory = 'CHARGEBACK' | 'FRAUD' | 'GENERAL';

/** `evidence_sent`: the provider has the merchant's word that it does not accept, and the bank decides. */
export type DisputeState = 'open' | 'evidence_sent' | 'won' | 'lost' | 'accepted';

/** Somebody says that there is a dispute: a webhook, or a line of a list. A query is what counts. */
export interface DisputeHint {
  providerDisputeId: string;
}

/** One dispute as the provider's answer to a query has it. */
export interface ReportedDispute {
  providerDisputeId: string;
  state: DisputeState;
  /** True: it ended because nobody answered. */
  bySilence: boolean;
  /** By which the payment is found. */
  providerTransactionId: string;
  /** What is wanted back, minor units. */
  amountMinor: bigint;
  /** ISO 4217. */
  currency: string;
  category: DisputeCategory;
  /** What the payer says. */
  message: string | null;
  /** Until when the merchant may answer; null where the provider does not say. */
  dueAt: Date | null;
  openedAt: Date | null;
  /** Where the provider marks it. */
  mode: Mode | null;
}

/** A dispute whose state the provider gave in words that are not listed; the rest of its answer can be read. */
export type UnlistedDispute = Omit<ReportedDispute, 'state'> & {
  state: 'unlisted';
  /** Its words, for people. */
  said: string;
};

interface ProviderSaid {
  /** The provider's own code, kept as evidence; null where it did not answer. */
  code: string | null;
  reason: string | null;
  message: string;
  at: Date;
}

/** `unknown` is the default: only a listed status is anything else. Where that alone is not understood, the answer has the rest. */
export type DisputeAnswer = ProviderSaid &
  (
    | { outcome: 'found'; dispute: ReportedDispute }
    | { outcome: 'not_found' }
    | { outcome: 'unknown'; unlisted?: UnlistedDispute }
  );

export interface DisputeListRequest {
  /** Of when they were opened: from, included, to, excluded. */
  from: Date;
  to: Date;
  /** Null: the first page. */
  cursor: string | null;
}

export interface DisputePage {
  disputes: readonly DisputeHint[];
  /** Lines that name no dispute, each by what tells it from others. */
  unreadable: readonly string[];
  /** Null: this is the last page. */
  next: string | null;
}

export interface EvidenceFile {
  fileName: string;
  contentType: string;
  content: Buffer;
}

/** What a merchant says, and what proves it. */
export interface DisputeEvidence {
  message: string;
  customerName: string | null;
  customerEmail: string | null;
  customerPhone: string | null;
  serviceDetails: string | null;
  deliveryAddress: string | null;
  /** A day, `2026-11-20`. */
  deliveryDate: string | null;
  files: readonly EvidenceFile[];
}

export interface RespondRequest {
  tenant: Tenant;
  providerDisputeId: string;
  /** What the payer may get, minor units: the amount where it is accepted. */
  amountMinor: bigint;
}

export interface ContestRequest extends RespondRequest {
  evidence: DisputeEvidence;
}

/** `taken`: the provider has it. `refused`: it does not take it, and why. `unknown`: only a query tells. */
export type RespondAnswer = ProviderSaid & { outcome: 'taken' | 'refused' | 'unknown' };

/** Disputes at a provider: the role of an account beside its payouts and account numbers. An adapter may throw. */
export interface DisputeProvider {
  readonly capabilities: DisputeCapabilities;
  queryDispute(hint: DisputeHint, signal: AbortSignal): Promise<DisputeAnswer>;
  /** @throws UnusableAnswerError where the provider answered with something else than a page */
  listDisputes(request: DisputeListRequest, signal: AbortSignal): Promise<DisputePage>;
  acceptDispute(request: RespondRequest, signal: AbortSignal): Promise<RespondAnswer>;
  contestDispute(request: ContestRequest, signal: AbortSignal): Promise<RespondAnswer>;
  /** @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID` or `PROVIDER_WEBHOOK_MALFORMED` */
  readDisputeWebhook(request: ProviderWebhookRequest): Promise<DisputeHint[]>;
}
