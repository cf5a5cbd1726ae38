import type { Tenant } from '../platform/tenant.ts';
import type { BeneficiaryAccount, ReportedFacts, SentTransfer } from './reported.ts';
import type { ProviderWebhookRequest, WalletProvider } from './wallet-provider.ts';

export type { ProviderWebhookRequest } from './wallet-provider.ts';

/**
 * What a rail says became of one transfer. `unknown` is the default of every adapter: only a code on the rail's own
 * whitelist is `succeeded` or `failed`. `not_found` is an answer to a query only, and is no failure: the rail may not
 * have seen the transfer yet. `reversed` is money that came back after success.
 */
export type RailOutcome = 'succeeded' | 'failed' | 'unknown' | 'not_found' | 'reversed';

export interface RailAnswer {
  outcome: RailOutcome;
  /** The rail's own code, kept as evidence. Null when the rail did not answer. */
  code: string | null;
  /** Our stable UPPER_SNAKE word for it; null where there is nothing to explain (success). */
  reason: string | null;
  message: string;
  /** The id that the beneficiary's bank can trace (30 digits on NIP). */
  sessionId: string | null;
  /** When the rail answered, by our clock. */
  at: Date;
  /**
   * What the provider says that this is about, unchanged: the code that turns answers into books compares it with what
   * was sent, so no adapter does.
   */
  reported: ReportedFacts;
}

const KEY_REFUSED = 'RAIL_CREDENTIALS_REFUSED';

/** What people do about an answer that no later call gets another one for. */
const adviceAbout = (reason: string): string | undefined =>
  reason === KEY_REFUSED
    ? 'the provider refuses its key, or the address of this server; check both in the provider’s dashboard, and enter a key that is valid with add-rail --replace'
    : undefined;

/**
 * Thrown by an adapter's send where it is certain that nothing left for the rail, for example when a step before the
 * transfer itself was refused or could not be taken. The payout may go again, or to another rail.
 */
export class NotSentError extends Error {
  /** Our stable UPPER_SNAKE word for it. */
  readonly reason: string;
  /** The rail's own code, where a step before the transfer got one. */
  readonly code: string | null;
  /** True where the rail answered and refused: its breaker does not count that. */
  readonly answered: boolean;
  /** What people have to put right; undefined where it may pass by itself. */
  readonly advice: string | undefined;

  constructor(
    message: string,
    options: { reason?: string; code?: string | null; answered?: boolean; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'NotSentError';
    this.reason = options.reason ?? 'RAIL_NOT_ASKED';
    this.code = options.code ?? null;
    this.answered = options.answered ?? false;
    this.advice = adviceAbout(this.reason);
  }
}

/**
 * Thrown by an adapter's balance or list where the rail answered, but not with what was asked for: another status, or a
 * document that cannot be read. Its breaker does not count that: only calls without an answer open it.
 */
export class UnusableAnswerError extends Error {
  /** Our stable UPPER_SNAKE word for it. */
  readonly reason: string;
  /** The rail's own code. */
  readonly code: string;
  /** What people have to put right; undefined where it may pass by itself. */
  readonly advice: string | undefined;

  constructor({ reason, message }: { reason: string | null; message: string }, code: string) {
    super(message);
    this.name = 'UnusableAnswerError';
    this.reason = reason ?? 'RAIL_ANSWER_UNEXPECTED';
    this.code = code;
    this.advice = adviceAbout(this.reason);
  }
}

/** The answer to a send. `sent` is false only where it is certain that nothing left: the payout may go again. */
export interface SendAnswer extends RailAnswer {
  sent: boolean;
}

export interface NameEnquiryRequest extends BeneficiaryAccount {
  tenant: Tenant;
  /** Sandbox only: the name of a scenario, ahead of the one that the account number selects. */
  scenario?: string | undefined;
}

/** `unknown`: the bank did not say; the account may well exist. */
export interface NameEnquiryAnswer {
  outcome: 'found' | 'not_found' | 'unknown';
  /** As the bank has it; null unless found. */
  accountName: string | null;
  code: string | null;
  reason: string | null;
  message: string;
  at: Date;
  /** Of these facts, the account alone: whose it is may be believed only of the one that was asked about. */
  reported: ReportedFacts;
}

export interface SendRequest extends SentTransfer {
  tenant: Tenant;
  accountName: string;
  narration: string;
  scenario?: string | undefined;
}

/** What became of a transfer that was sent like this? */
export interface QueryRequest extends SentTransfer {
  tenant: Tenant;
}

export interface RailBalance {
  currency: string;
  availableMinor: bigint;
}

/** What a rail sent us unasked. It may come twice, late, early or in the wrong order; `answer` says what it reports. */
export interface ProviderWebhook {
  /** The same for every copy of one provider webhook. */
  providerWebhookId: string;
  /** By which the payout is found; what else the provider webhook reports of it is in `answer`. */
  railReference: string;
  /** Whose transfer, where the rail echoes it; else the reference has to be looked up. */
  tenant: Tenant | null;
  answer: RailAnswer;
}

/**
 * A bank or provider that moves money out. An adapter may throw: a call through `createRailCaller` returns an `unknown`
 * answer instead. Every method honours its signal. Adapters know nothing of the books.
 */
export interface Rail {
  readonly name: string;
  /** True where one merchant's trouble must not touch another's: limits and breaker are then kept per tenant. */
  readonly isolatesTenants?: boolean;
  /** True where every provider webhook names the tenant: then no directory has to lead from a reference to its payout. */
  readonly echoesTenant?: boolean;
  /** How old a send has to be before this rail's "not found" may be believed; 60 s where it does not say. */
  readonly notFoundAfterMs?: number;
  nameEnquiry(request: NameEnquiryRequest, signal: AbortSignal): Promise<NameEnquiryAnswer>;
  /** The same `railReference` executes at most once, however often it is sent. */
  send(request: SendRequest, signal: AbortSignal): Promise<RailAnswer>;
  query(request: QueryRequest, signal: AbortSignal): Promise<RailAnswer>;
  /** @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID` or `PROVIDER_WEBHOOK_MALFORMED`. */
  verifyWebhook(request: ProviderWebhookRequest): Promise<ProviderWebhook[]>;
  /** What the rail lets us send now, from the account that it debits. @throws UnusableAnswerError where it does not report it */
  balance(tenant: Tenant, signal: AbortSignal): Promise<RailBalance>;
  /** The second role of the same account at the provider: wallets have account numbers there. Absent: it has none. */
  readonly wallets?: WalletProvider;
}
