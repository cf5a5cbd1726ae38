import type { Mode } from '../platform/tenant.ts';
import type { ProviderWebhookRequest } from './provider-webhook.ts';

/** One lump sum that a provider pays out for payments in, as the provider says it. */
export interface ReportedSettlement {
  /** The provider's own. */
  reference: string;
  /** Unknown is the default: only a listed status is anything else. */
  status: 'SETTLED' | 'OPEN' | 'FAILED' | 'UNKNOWN';
  /** Where the provider marks it. */
  mode: Mode | null;
  currency: string;
  /** What it pays out, minor units. */
  lumpMinor: bigint;
  /** The day in Lagos on which it does, 2026-11-20. */
  settledOn: string;
}

/** What a line of a settlement is about. `OTHER` takes from it, and the provider does not say what for. */
export type SettlementLineKind = 'PAYMENT' | 'REFUND' | 'DISPUTE' | 'OTHER';

/** One line of a settlement. A fact that cannot be read is null, and the line is there all the same. */
export interface SettlementLine {
  kind: SettlementLineKind;
  /** As the provider's queries know the payment, refund or dispute. */
  providerTransactionId: string | null;
  reference: string | null;
  /** Minor units; what takes from the settlement is below zero. */
  grossMinor: bigint | null;
  feeMinor: bigint | null;
  netMinor: bigint | null;
  currency: string;
  mode: Mode | null;
  occurredAt: Date | null;
}

export interface SettlementListRequest {
  /** Of when they are paid out: from, included, to, excluded. A provider may list more. */
  from: Date;
  to: Date;
  /** Null: the first page. Else as the page before gave it. */
  cursor: string | null;
}

export interface SettlementPage {
  settlements: readonly ReportedSettlement[];
  /** Entries that have no reference, amount or day that can be read, each by what tells it from others. */
  unreadable: readonly string[];
  /** Null: this is the last page. */
  next: string | null;
}

export interface SettlementLinesRequest {
  reference: string;
  /** What it pays out, as it was listed: an adapter whose provider nets without lines says the rest as one. */
  lumpMinor: bigint;
  cursor: string | null;
}

export interface SettlementLinePage {
  lines: readonly SettlementLine[];
  next: string | null;
}

/**
 * What a provider says that it settled: the third role of a provider account. It is read and never written; nothing here
 * moves money. Every method may throw, and honours its signal.
 */
export interface SettlementSource {
  /** Absent where the provider has no list: then its webhooks alone say of settlements. */
  listSettlements?(request: SettlementListRequest, signal: AbortSignal): Promise<SettlementPage>;
  /** @throws UnusableAnswerError where the provider answered with something else than a page of this settlement */
  readLines(request: SettlementLinesRequest, signal: AbortSignal): Promise<SettlementLinePage>;
  /**
   * Whose payments it settles, and until when they came, where a provider account keeps its merchants apart, as the sandbox's bank
   * does. Absent where one account is settled as a whole.
   */
  scopeOf?(reference: string, signal: AbortSignal): Promise<{ merchantId: string; before: Date } | undefined>;
  /**
   * The settlements that a webhook reports; none where it is about something else. Absent where the provider has none.
   * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID` or `PROVIDER_WEBHOOK_MALFORMED`
   */
  readNotice?(request: ProviderWebhookRequest): Promise<ReportedSettlement[]>;
}
