import type { Mode } from '../../../src/platform/tenant.ts';
import type { CreditKey } from '../../../src/rails/index.ts';
import type { PaymentChannel } from '../../../src/rails/wallet-provider.ts';
import type { CreditStatus, DepositFacts, WalletHarness, WalletProviderHarness } from '../wallet-harness.ts';

export interface AccountRow {
  id: number;
  /** Ours, however the provider was given it. */
  reference: string;
  accountNumber: string;
  accountName: string;
  isOpen: boolean;
}

export interface CreditRow extends Required<DepositFacts> {
  id: number;
  /** The provider's own. */
  reference: string;
  /** Ours, of the account or page. */
  accountReference: string;
  channel: PaymentChannel;
  /** Of what was opened for one payment: the kind, and `metadata` as we sent it. */
  opened: { kind: 'account' | 'page'; metadata?: unknown } | undefined;
  /** The provider's own status where it is none of those that every provider has. */
  said?: string;
  /** The provider's fee, where the payer sent it on top of the amount. */
  feeOnTopMinor: bigint;
  /** While above zero, that many queries find nothing. */
  hidden: number;
}

type Spoilt = Parameters<WalletProviderHarness['spoilNextAnswer']>[0];

/** What a stand-in of a provider keeps of accounts and of transfers to them, however it writes them. */
export interface WalletBooks {
  accounts: AccountRow[];
  credits: CreditRow[];
  /** How the next openings are answered; as usual where there is nothing. */
  openings: Parameters<WalletHarness['answerNextOpening']>[0][];
  /** How the next query's answer is wrong. */
  wrong: { aboutAnother: boolean; spoilt: Spoilt | undefined };
  open(reference: string, accountName: string): AccountRow;
  deposit(facts: DepositFacts): CreditRow;
  /** Notes a transaction of what has our reference, whatever it is. */
  add(reference: string, facts: DepositFacts & Partial<Pick<CreditRow, 'channel' | 'opened'>>): CreditRow;
  creditOf(key: CreditKey): CreditRow;
  /** For a query: undefined where it finds nothing yet. */
  found(row: CreditRow | undefined): CreditRow | undefined;
}

const FIRST_ID = 3_104_021_987;

export function createWalletBooks(mode: Mode): WalletBooks {
  const books: WalletBooks = {
    accounts: [],
    credits: [],
    openings: [],
    wrong: { aboutAnother: false, spoilt: undefined },
    open(reference, accountName) {
      const id = 253 + books.accounts.length;
      const accountNumber = String(9_930_000_737 + id);
      const account: AccountRow = { id, reference, accountNumber, accountName, isOpen: true };
      books.accounts.push(account);
      return account;
    },
    deposit(facts) {
      const account = books.accounts.find((one) => one.accountNumber === facts.accountNumber);
      if (account === undefined) throw new Error(`nobody has the account ${facts.accountNumber}`);
      return books.add(account.reference, facts);
    },
    add(accountReference, facts) {
      const id = FIRST_ID + books.credits.length;
      const reference = `ps${id.toString(36)}`;
      const credit: CreditRow = { ...ORDINARY, at: new Date(), mode, ...facts, id, reference, accountReference };
      books.credits.push(credit);
      return credit;
    },
    creditOf(key) {
      const credit = books.credits.find(({ id }) => String(id) === key.providerTransactionId);
      if (credit === undefined) throw new Error(`no credit ${key.providerTransactionId}`);
      return credit;
    },
    found(row) {
      if (row === undefined || row.hidden === 0) return row;
      row.hidden -= 1;
      return undefined;
    },
  };
  return books;
}

const ORDINARY = {
  status: 'confirmed',
  currency: 'NGN',
  payerName: 'RANDALL AKANBI HORTON',
  payerAccountNumber: 'XXXXXX0011',
  payerBankName: 'First City Monument Bank',
  narration: 'NIP: RHODA CHURCH',
  channel: 'BANK_TRANSFER',
  opened: undefined,
  feeOnTopMinor: 0n,
  hidden: 0,
} as const;

/** The part of a harness that is the same of every stand-in. */
export function booksHarness(books: WalletBooks) {
  return {
    accountsOpened: async (reference: string) => books.accounts.filter((one) => one.reference === reference).length,
    accountsOpen: async (reference: string) =>
      books.accounts.filter((one) => one.reference === reference && one.isOpen).length,
    answerNextOpening: (how: WalletBooks['openings'][number]) => void books.openings.push(how),
    async setStatus(key: CreditKey, status: CreditStatus) {
      books.creditOf(key).status = status;
    },
    hide(key: CreditKey, queries: number) {
      books.creditOf(key).hidden = queries;
    },
  };
}

/** The same of what a harness of a provider behind an HTTP API brings. */
export function booksProvider({ wrong }: WalletBooks) {
  return {
    answerAboutAnother() {
      wrong.aboutAnother = true;
    },
    spoilNextAnswer(fact: Spoilt) {
      wrong.spoilt = fact;
    },
  };
}

/** The document of a query, made wrong as the test asked for, once. */
export function madeWrong(
  { wrong }: WalletBooks,
  document: Record<string, unknown>,
  names: { unreadableAmount: unknown },
): Record<string, unknown> {
  const { aboutAnother, spoilt } = wrong;
  Object.assign(wrong, { aboutAnother: false, spoilt: undefined });
  if (aboutAnother) return { ...document, id: FIRST_ID - 1, reference: 'another', tx_ref: 'another' };
  if (spoilt === 'amountMinor') return { ...document, amount: names.unreadableAmount };
  if (spoilt === 'currency') return { ...document, currency: null };
  return spoilt === 'providerTransactionId' ? { ...document, id: null, reference: null } : document;
}
