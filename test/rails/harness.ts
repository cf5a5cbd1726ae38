import { randomUUID } from 'node:crypto';
import type { Tenant } from '../../src/platform/tenant.ts';
import type {
  BeneficiaryAccount,
  ProviderWebhookRequest,
  Rail,
  SendRequest,
  TransferFact,
} from '../../src/rails/index.ts';

/** What an adapter's test brings: the rail against a stand-in of its provider, and accounts that behave as named. */
export interface RailHarness {
  rail: Rail;
  tenant: Tenant;
  accounts: {
    plain: BeneficiaryAccount;
    nameNotFound: BeneficiaryAccount;
    definiteFailure: BeneficiaryAccount;
    /** No answer to the send, yet the provider executed it. */
    unansweredExecuted: BeneficiaryAccount;
    /** No answer to the send, and the provider never saw it. */
    unansweredLost: BeneficiaryAccount;
    pending: BeneficiaryAccount;
    /** The provider answers with a code that no table lists. */
    unlistedCode: BeneficiaryAccount;
  };
  /** How often the provider paid out under this reference, by its own books. */
  executions(railReference: string): Promise<number>;
  /**
   * From now on the provider says this of every transfer; undefined is the truth again.
   * @returns what a send has to carry for it.
   */
  misreport(falseFacts: FalseFacts | undefined): Partial<SendRequest>;
  /** A webhook of the provider about a transfer, signed as it signs. */
  webhook(facts: WebhookFacts): ProviderWebhookRequest;
  /** A file of the provider with one line, in its own columns. */
  settlementFile(line: FileFacts): { text: string; amountsInKobo: boolean };
  /** What a rail behind a provider's API brings too. */
  provider?: ProviderHarness;
  close(): Promise<void>;
}

/** What a provider says of every transfer in place of the truth, until it is taken back. */
export interface FalseFacts {
  amountMinor?: bigint;
  currency?: string;
  accountNumber?: string;
  reference?: string;
}

/** One line of a settlement file. */
export interface FileFacts extends BeneficiaryAccount {
  railReference: string;
  amountMinor: bigint;
  currency: string;
}

/** Which facts of a transfer the provider gives in which kind of answer. docs/rails.md has the same table. */
export type ReportedIn = Readonly<Record<'send' | 'query' | 'webhook' | 'settlement', readonly TransferFact[]>>;

const AMOUNT = ['railReference', 'amountMinor'] as const;
const ALL = [...AMOUNT, 'currency', 'accountNumber', 'bankCode'] as const;

export const REPORTED: Readonly<Record<'sandbox' | 'paystack' | 'flutterwave' | 'monnify', ReportedIn>> = {
  sandbox: { send: ALL, query: ALL, webhook: ALL, settlement: ALL },
  paystack: { send: [...AMOUNT, 'currency'], query: ALL, webhook: ALL, settlement: [...AMOUNT, 'currency'] },
  flutterwave: { send: ALL, query: ALL, webhook: ALL, settlement: [...AMOUNT, 'currency', 'accountNumber'] },
  monnify: {
    send: [...AMOUNT, 'accountNumber', 'bankCode'],
    query: ALL,
    webhook: ALL,
    settlement: [...AMOUNT, 'accountNumber', 'bankCode'],
  },
};

/** How a kind of rail differs, where that is in its nature. */
export interface RailTraits {
  reports: ReportedIn;
  /** A send is answered with "taken in"; the end, and the session id, come by a query or a provider webhook. */
  concludesLater?: true;
  /** A provider's HTTP API: its bad answers and its provider webhooks are tested too, and the harness has `provider`. */
  overHttp?: ProviderTraits;
}

/** The calls of an adapter. `prepare` is what has to be done before the request that moves money: login, recipient. */
export type ProviderStage = 'nameEnquiry' | 'prepare' | 'send' | 'query' | 'balance';

/** Answers that say nothing, each as some provider or the load balancer before it has given it. */
export const BREAKAGES = [
  'http-500',
  'http-502-html',
  'truncated-json',
  'empty',
  'not-json',
  'error-in-200',
  'rate-limited',
  'unauthorized',
  'redirect',
  'reset',
] as const;
export type Breakage = (typeof BREAKAGES)[number];

export interface ProviderTraits {
  /** The send is two requests or more, and only the last moves money. */
  prepares?: true;
  /** What a provider webhook's signature covers: its bytes, or nothing (a shared secret in a header). */
  webhooksSign: 'bytes' | 'nothing';
}

export interface WebhookFacts {
  railReference: string;
  amountMinor: bigint;
  outcome: 'succeeded' | 'failed' | 'reversed';
  /** To whom; the plain account where it does not matter. */
  account?: BeneficiaryAccount;
}

export interface ProviderHarness {
  /** Spoils the answer to the next request of a stage; `executed`: the provider did its work before. */
  breakNext(stage: ProviderStage, how: Breakage, options?: { executed?: boolean }): void;
  /** The same adapter where nothing listens. */
  unreachable: Rail;
  /** The same provider asked with a key that it does not know. */
  wrongKey: Rail;
  /** Any bytes, signed as the provider signs. */
  signed(rawBody: Buffer): ProviderWebhookRequest;
  /** What the provider booked for this reference. */
  amountOf(railReference: string): Promise<bigint | undefined>;
}

/** As the payouts derive it: 32 hexadecimal digits. */
export function newReference(): string {
  return randomUUID().replaceAll('-', '');
}
