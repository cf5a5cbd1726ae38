import { randomUUID } from 'node:crypto';
import type { Mode, Tenant } from '../../src/platform/tenant.ts';
import type { ConfirmedCredit, CreditKey, ProviderWebhookRequest, Rail } from '../../src/rails/index.ts';
import type { PaymentChannel } from '../../src/rails/wallet-provider.ts';
import type { Breakage } from './harness.ts';

/** What an adapter's test brings: the account with both roles, against a stand-in of its provider or the sandbox itself. */
export interface WalletHarness {
  /** `wallets` is there. */
  rail: Rail;
  /** In the mode of the account. */
  tenant: Tenant;
  /** How many accounts were opened under our reference, by the provider's own books. */
  accountsOpened(reference: string): Promise<number>;
  /** How many of them are not closed; there with a provider's API. */
  accountsOpen?(reference: string): Promise<number>;
  /** The next opening is answered so. Needed as far as the traits say that it can be. */
  answerNextOpening(how: 'pending' | 'refused' | 'unlisted'): void;
  /** Somebody pays to an account number. @returns by what the provider knows the credit, as far as its queries go */
  deposit(facts: DepositFacts): Promise<CreditKey>;
  /** What the provider says of a credit from now on. */
  setStatus(key: CreditKey, status: CreditStatus): Promise<void>;
  /** So many queries of this credit find nothing, and then it is there. */
  hide(key: CreditKey, queries: number): void;
  /** The provider's webhook about a credit, signed as it signs; `amountMinor` is what it says in place of the truth. */
  webhook(key: CreditKey, changes?: { amountMinor?: bigint }): ProviderWebhookRequest;
  /** The same webhook as somebody would send it who does not have the secret, in several ways. */
  forgedWebhooks(key: CreditKey): ProviderWebhookRequest[];
  /** A webhook with the right signature about something that is no credit. */
  otherWebhook(): ProviderWebhookRequest;
  /** What a provider with accounts for one payment, or pages of its own, brings too. */
  payments?: PaymentHarness;
  /** What a provider behind an HTTP API brings too. */
  provider?: WalletProviderHarness;
  close(): Promise<void>;
}

export interface PaymentHarness {
  /** What was opened for one payment, accounts and pages, in order, by the provider's own books. */
  openings(): readonly { reference: string; amountMinor: bigint }[];
  /** Somebody transfers to an account for one payment; `at`: now where it is not given. */
  transfer(accountNumber: string, facts: { amountMinor: bigint; at?: Date }): PaymentMade;
  /** Somebody pays what the page asks for, or has their card declined. */
  payPage(reference: string, facts: { channel: PaymentChannel; isDeclined?: true }): PaymentMade;
}

/** By what the provider knows it, and its webhook about it. */
export interface PaymentMade {
  key: CreditKey;
  webhook: ProviderWebhookRequest;
}

/** `unpaid`: it was opened, and nobody has paid yet. */
export type CreditStatus = 'confirmed' | 'pending' | 'failed' | 'reversed' | 'unlisted' | 'unpaid';

export interface DepositFacts {
  accountNumber: string;
  /** Minor units, gross. */
  amountMinor: bigint;
  /** Default: confirmed. */
  status?: CreditStatus;
  /** Default: NGN. */
  currency?: string;
  /** When the provider noted it; default: now. */
  at?: Date;
  /** As the provider marks it; default: the mode of the account. */
  mode?: Mode;
  payerName?: string;
  payerAccountNumber?: string;
  payerBankName?: string;
  narration?: string;
}

/** The calls of this role. `prepare` is what has to be done before the request that opens an account. */
export type WalletStage =
  | 'prepareAccount'
  | 'openAccount'
  | 'closeAccount'
  | 'queryCredit'
  | 'listCredits'
  | 'listSettlements'
  | 'readSettlement'
  | 'refund'
  | 'queryRefund'
  | 'queryDispute'
  | 'listDisputes'
  | 'answerDispute'
  | PaymentStage;
/** `findOpening`: whether something was opened under our reference before. `showAccount`: a second step of an opening. */
export type PaymentStage = 'openOneTime' | 'openPage' | 'findOpening' | 'showAccount';

export interface WalletProviderHarness {
  /** Spoils the answer to the next request of a stage; `executed`: the provider did its work before. */
  breakNext(stage: WalletStage, how: Breakage, options?: { executed?: boolean }): void;
  /** The same adapter where nothing listens. */
  unreachable: Rail;
  /** The same provider asked with a key that it does not know. */
  wrongKey: Rail;
  /** Any bytes, signed as the provider signs. */
  signed(rawBody: Buffer): ProviderWebhookRequest;
  /** The next query is answered about another credit than the one that was asked about. */
  answerAboutAnother(): void;
  /** The next query's answer has this fact missing or not readable. */
  spoilNextAnswer(fact: 'providerTransactionId' | 'amountMinor' | 'currency'): void;
}

/** How a kind of provider differs, where that is in its nature. docs/rails.md has the same table. */
export interface WalletTraits {
  /** Which facts of a credit a query reports, beyond its id, amount and currency, which each does. */
  reports: readonly ReportedCreditFact[];
  /** Of these two it says which it is: `LIVE` or `SANDBOX`. */
  marksMode: boolean;
  /** All of its money is play money. */
  playsOnly?: true;
  /** Of the payer's account number it shows the last four digits. */
  masksPayers?: true;
  /**
   * What was opened under our reference cannot be looked up: a second request may bring another number, whose credits carry
   * our reference all the same.
   */
  mayOpenAnother?: true;
  /** Something is asked of the provider before the request that opens an account. */
  prepares?: true;
  /** The provider says by itself that an account is not open yet. */
  opensLater?: true;
  /** The provider has refusals of an opening that are listed. */
  refusesOpenings?: true;
  /** A credit can go back after it was confirmed, and a query says so. */
  reverses?: true;
  /** A query by this alone finds a credit. */
  queriesBy: readonly (keyof CreditKey)[];
  /** Credits on one page of the list. */
  pageSize: number;
  /** It has accounts for one payment, or pages of its own, and the harness has `payments`. */
  payments?: PaymentTraits;
  /** A provider's HTTP API: its bad answers are tested too, and the harness has `provider`. */
  overHttp?: true;
}

export interface PaymentTraits {
  /** A second opening under one reference: has the first answer again, cannot have it, or brings another with our reference. */
  accountAgain: 'first' | 'unknown' | 'another';
  pageAgain: 'first' | 'unknown' | 'another';
  /** The domain of its pages. */
  pageDomain: string;
  /** What becomes of money after the expiry, and of a second payment to the same account; `bounces`: it never arrives. */
  lateMoney: 'confirmed' | 'failed';
  secondPayment: 'confirmed' | 'failed' | 'bounces';
}

export type ReportedCreditFact = Exclude<
  keyof ConfirmedCredit,
  'providerTransactionId' | 'amountMinor' | 'currency' | 'mode'
>;

/** As the wallets derive it: 32 hexadecimal digits. */
export function newAccountReference(): string {
  return randomUUID().replaceAll('-', '');
}
