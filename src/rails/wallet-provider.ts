import type { Mode, Tenant } from '../platform/tenant.ts';
import type { DisputeProvider } from './disputes.ts';
import type { ProviderWebhookRequest } from './provider-webhook.ts';
import type { RefundProvider } from './refunds.ts';
import type { SettlementSource } from './settlements.ts';

export type { ProviderWebhookRequest } from './provider-webhook.ts';

/** What a provider asks for before it opens an account in somebody's name. */
export type KycNeed = 'BVN' | 'NAME' | 'EMAIL' | 'PHONE';

/** What sets one provider's accounts apart from another's, as data: nobody asks for a provider by its name. */
export interface WalletCapabilities {
  /** Without one of these the provider opens no account. */
  needs: readonly KycNeed[];
  /** A NIN does where it asks for a BVN. */
  takesNin: boolean;
  /** It closes an account when it is asked to. False: what is closed here stays open there. */
  closesAccounts: boolean;
  /** One request may bring account numbers at several banks. */
  severalBanks: boolean;
  /** A credit can be asked for by the session id of the interbank network. */
  queriesBySessionId: boolean;
  /** Account numbers for one payment; absent where it opens none. */
  oneTimeAccount?: OneTimeTerms;
  /** A page of the provider's own, to which a payer is sent; absent where it has none. */
  hostedPage?: { channels: readonly PaymentChannel[] };
}

/** How somebody pays. */
export const PAYMENT_CHANNELS = ['BANK_TRANSFER', 'CARD', 'USSD'] as const;
export type PaymentChannel = (typeof PAYMENT_CHANNELS)[number];

export interface OneTimeTerms {
  /** What the provider does by itself with another amount: it sends it back, or it takes it. */
  otherAmounts: 'REFUSES' | 'TAKES';
  /** What an expiry may be, from now on; the provider silently moves what is outside. */
  minExpiryMs: number;
  maxExpiryMs: number;
}

/** Whose account it is, for the provider's own checks. Never logged. */
export interface AccountHolder {
  /** As the account should be named; the provider may shorten it or put its own name before it. */
  name: string;
  email: string;
  /** Digits with the country's prefix. */
  phoneNumber: string;
  /** Eleven digits; null where the merchant does not want it used, or has none. */
  bvn: string | null;
  /** The same. */
  nin: string | null;
}

export interface OpenAccountRequest {
  tenant: Tenant;
  /** Ours: 32 hex digits. A second request under it opens no second account, and answers with the first. */
  reference: string;
  holder: AccountHolder;
  /** A bank that the operator prefers, in the provider's own words; null is the provider's choice. */
  preferredBank: string | null;
}

/** An account number that anybody can pay to from their bank. */
export interface ReceivingAccount {
  bankCode: string | null;
  bankName: string;
  accountNumber: string;
  /** As the provider returns it, which is what a payer's bank shows. */
  accountName: string;
}

interface ProviderSaid {
  /** The provider's own code, kept as evidence; null where it did not answer. */
  code: string | null;
  /** Our stable UPPER_SNAKE word for it; null where there is nothing to explain. */
  reason: string | null;
  message: string;
  at: Date;
}

/** `pending`: ask again with the same reference. `refused`: the provider will not open it as it was asked. */
export type OpenAccountAnswer = ProviderSaid &
  (
    | { outcome: 'opened'; accounts: readonly ReceivingAccount[]; providerAccountId: string }
    | { outcome: 'pending' | 'refused' | 'unknown' }
  );

/** Who is asked to pay. */
export interface Payer {
  name: string;
  email: string;
  /** Digits with the country's prefix. */
  phoneNumber: string | null;
}

export interface OpenOneTimeRequest {
  tenant: Tenant;
  /** Ours: 32 hex digits. A second request under it opens nothing else, and answers with the first. */
  reference: string;
  payer: Payer;
  /** Minor units of naira, more than zero. */
  amountMinor: bigint;
  expiresAt: Date;
  description: string;
}

export type OpenOneTimeAnswer = ProviderSaid &
  (
    | {
        outcome: 'opened';
        accounts: readonly ReceivingAccount[];
        providerReference: string;
        /** When the provider closes it, which may be another moment than was asked for; null where it does not say. */
        expiresAt: Date | null;
        /** What the payer has to send: more than was asked for, where the provider adds its fee. Minor units. */
        payableMinor: bigint;
        /** What can be dialled to pay, where the provider gives it. */
        ussdCode: string | null;
      }
    | { outcome: 'pending' | 'refused' | 'unknown' }
  );

/** An account for one payment that is open. */
export type OpenedOneTime = Extract<OpenOneTimeAnswer, { outcome: 'opened' }>;

export interface OpenPageRequest extends Omit<OpenOneTimeRequest, 'expiresAt'> {
  channels: readonly PaymentChannel[];
  /** Where the provider sends the payer afterwards. What it adds to the address is believed of nobody. */
  returnUrl: string;
}

export type OpenPageAnswer = ProviderSaid &
  (
    | { outcome: 'opened'; url: string; providerReference: string; expiresAt: Date | null }
    | { outcome: 'refused' | 'unknown' }
  );

export interface CloseAccountRequest {
  tenant: Tenant;
  reference: string;
  providerAccountId: string;
}

/** `closed` also where the provider had it closed already. */
export type CloseAccountAnswer = ProviderSaid & { outcome: 'closed' | 'refused' | 'unknown' };

/** By which one credit is asked for; at least one of them is given. */
export interface CreditKey {
  /** The provider's own id of the transaction. */
  providerTransactionId: string | null;
  /** The provider's reference of the transaction, where it has one beside the id. */
  providerReference: string | null;
  /** Of the interbank network. */
  sessionId: string | null;
  /** Ours, of what was opened for one payment. */
  ourReference?: string | null;
}

/** Somebody says that money arrived: a webhook, or a line of a list. It moves nothing; a query is what counts. */
export interface CreditHint extends CreditKey {
  /** As it was said, where it was: it is compared with what the query confirms, and never credited. */
  amountMinor: bigint | null;
  accountNumber: string | null;
  /** It is said that the money went back: worth a question also where the credit is in the books. */
  isReversal?: true;
}

/** One transfer that arrived at the provider, as the provider's answer to a query has it. */
export interface ConfirmedCredit {
  providerTransactionId: string;
  providerReference: string | null;
  sessionId: string | null;
  /** To which account number it was paid. */
  accountNumber: string | null;
  /** Our reference of that account or page, where the provider gives it: some do so in place of the number. */
  accountReference?: string;
  /** How it was paid; absent where the provider does not say. */
  channel?: PaymentChannel;
  /**
   * What is the merchant's, minor units: before the provider's fee, and without the part of it that the payer paid on top,
   * where the provider shows that.
   */
  amountMinor: bigint;
  /** ISO 4217. */
  currency: string;
  /** What the provider keeps of that, minor units; null where it does not say. */
  providerFeeMinor: bigint | null;
  /** The mode of the transaction, where the provider marks it: play money never becomes live money. */
  mode: Mode | null;
  paidAt: Date | null;
  payerName: string | null;
  payerAccountNumber: string | null;
  payerBankName: string | null;
  narration: string | null;
}

/**
 * `confirmed`: the money is there. `reversed`: it was, and went back. `failed`: it never will be. `pending` and
 * `not_found`: ask again. `unknown` is the default: only a listed status is anything else.
 */
export type CreditAnswer = ProviderSaid &
  (
    | { outcome: 'confirmed' | 'reversed'; credit: ConfirmedCredit }
    | { outcome: 'failed' | 'pending' | 'not_found' | 'unknown' }
  );

export interface CreditListRequest {
  /** Of when the provider noted them: from, included, to, excluded. */
  from: Date;
  to: Date;
  /** Null: the first page. Else as the page before gave it. */
  cursor: string | null;
}

export interface CreditPage {
  credits: readonly CreditHint[];
  /**
   * Lines that name nothing by which a credit could be asked for, each by what tells it from others: somebody has to look at the
   * provider's own list.
   */
  unreadable: readonly string[];
  /** Null: this is the last page. */
  next: string | null;
}

/**
 * A bank or provider at which wallets have account numbers. It is the second role of a provider account: the same
 * credentials, circuit, time limits and bounds as its rail. An adapter may throw; every method honours its signal.
 * Adapters know nothing of the books.
 */
export interface WalletProvider {
  readonly capabilities: WalletCapabilities;
  /** What the provider settled; absent where it cannot be asked. */
  readonly settlements?: SettlementSource;
  openAccount(request: OpenAccountRequest, signal: AbortSignal): Promise<OpenAccountAnswer>;
  closeAccount(request: CloseAccountRequest, signal: AbortSignal): Promise<CloseAccountAnswer>;
  /** There with the capability `oneTimeAccount`. */
  openOneTimeAccount?(request: OpenOneTimeRequest, signal: AbortSignal): Promise<OpenOneTimeAnswer>;
  /**
   * There where the account follows from the request: what `openOneTimeAccount` would answer. Nobody is asked, and nothing
   * is opened that could be left without an owner.
   */
  oneTimeAccountOf?(request: OpenOneTimeRequest): OpenedOneTime;
  /** There with the capability `hostedPage`. No card's data ever comes here. */
  openPage?(request: OpenPageRequest, signal: AbortSignal): Promise<OpenPageAnswer>;
  queryCredit(key: CreditKey, signal: AbortSignal): Promise<CreditAnswer>;
  /**
   * The credits of a window that are there, of whatever amount.
   * @throws UnusableAnswerError where the provider answered with something else than a page
   */
  listCredits(request: CreditListRequest, signal: AbortSignal): Promise<CreditPage>;
  /**
   * The credits that a webhook reports; none where it is about something else.
   * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID` or `PROVIDER_WEBHOOK_MALFORMED`
   */
  readCreditWebhook(request: ProviderWebhookRequest): Promise<CreditHint[]>;
  /** Absent where the provider has no interface for disputes: the operator enters them by hand. */
  readonly disputes?: DisputeProvider;
  /** Payments go back by the provider itself; absent where it does not offer that. */
  readonly refunds?: RefundProvider;
}
