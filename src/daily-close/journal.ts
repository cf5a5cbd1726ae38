import { stringify } from 'csv-stringify/sync';
import type { AccountKind } from '../ledger/index.ts';
import { decimalText } from '../money/index.ts';
import { requireOperator } from '../people/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { INERT } from '../platform/spreadsheet/write-csv.ts';
import type { CloseFigures, PostingFigures } from './close-figures.ts';
import { listJournalAccounts, upsertJournalAccount } from './queries.ts';
import type { CloseDeps } from './sign-close.ts';

/** Our own names, until the accountant gives theirs. The first part is what kind of account it is in any book-keeping. */
const CHART: Readonly<Record<AccountKind, { code: string; name: string }>> = {
  PROVIDER_FLOAT: { code: '1100', name: 'Assets:Cash at providers' },
  COLLECTION_RECEIVABLE: { code: '1200', name: 'Assets:Receivable from providers' },
  MERCHANT_RECEIVABLE: { code: '1300', name: 'Assets:Receivable from merchants' },
  MERCHANT_WALLET: { code: '2100', name: 'Liabilities:Merchant wallets' },
  STORE_WALLET: { code: '2110', name: 'Liabilities:Store wallets' },
  SUBACCOUNT_WALLET: { code: '2120', name: 'Liabilities:Subaccount wallets' },
  PENDING_COLLECTIONS: { code: '2200', name: 'Liabilities:Pending collections' },
  RESERVE: { code: '2210', name: 'Liabilities:Reserves' },
  SUSPENSE: { code: '2300', name: 'Liabilities:Suspense' },
  PAYOUT_CLEARING: { code: '2400', name: 'Liabilities:Payout clearing' },
  TAX_PAYABLE: { code: '2500', name: 'Liabilities:VAT and stamp duty' },
  FEE_INCOME: { code: '4100', name: 'Income:Fees' },
  PROVIDER_COST: { code: '5100', name: 'Expenses:Provider fees' },
};

export const JOURNAL_KINDS = Object.keys(CHART) as AccountKind[];

export interface JournalAccount {
  kind: AccountKind;
  /** Empty: all of the kind. */
  rail: string;
  code: string;
  name: string;
  /** Whether the operator gave it. */
  isSet: boolean;
}

/** Every account of the chart, those that the operator set as they are set. */
export async function readJournalAccounts(queries: Queries): Promise<JournalAccount[]> {
  const rows = await queries.query(listJournalAccounts, []);
  const set = rows.map((row) => ({ ...row, kind: row.kind as AccountKind, isSet: true }));
  const ours = JOURNAL_KINDS.filter((kind) => !set.some((one) => one.kind === kind && one.rail === '')).map((kind) => ({
    kind,
    rail: '',
    ...CHART[kind],
    isSet: false,
  }));
  return [...set, ...ours].toSorted(
    (one, other) => one.code.localeCompare(other.code) || one.rail.localeCompare(other.rail),
  );
}

/** Of codes and names: what no format of a journal gives a meaning of its own. */
const CODE = /^[\w.-]{1,20}$/;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} :&.,()'/-]{1,79}$/u;

/**
 * What the accountant calls an account, from now on, in every file that is made.
 * @throws AppError 400 `VALIDATION_FAILED`; 403 `OPERATOR_NOT_FOUND`.
 */
export async function setJournalAccount(
  { database, clock }: CloseDeps,
  given: { kind: AccountKind; rail: string; code: string; name: string; personId: string },
): Promise<void> {
  const { email } = await requireOperator(database, given.personId);
  const [code, name] = [given.code.trim(), given.name.trim()];
  if (given.rail !== '' && given.kind !== 'COLLECTION_RECEIVABLE') {
    throw invalidField('rail', 'is only for what providers owe (COLLECTION_RECEIVABLE)');
  }
  if (!CODE.test(code)) throw invalidField('code', 'must have letters, digits, points and hyphens, at most 20');
  if (!NAME.test(name) || / {2}/.test(name)) {
    throw invalidField(
      'name',
      "must begin with a letter or digit, and have no signs but : & . , ( ) ' / - , at most 80",
    );
  }
  await database.query(upsertJournalAccount, [given.kind, given.rail, code, name, email, clock.now()]);
}

interface JournalLine {
  date: string;
  reference: string;
  code: string;
  account: string;
  debitMinor: bigint;
  creditMinor: bigint;
  description: string;
}

const WORDS = (code: string): string => code.toLowerCase().replaceAll('_', ' ');

/** Two lines for each posting of the day: debits equal credits, entry by entry. */
export function journalOf(figures: CloseFigures, accounts: readonly JournalAccount[]): JournalLine[] {
  const accountOf = (kind: AccountKind, rail: string | null) => {
    const own = accounts.find((one) => one.kind === kind && rail !== null && one.rail === rail);
    const found = own ?? accounts.find((one) => one.kind === kind && one.rail === '') ?? { ...CHART[kind] };
    return { code: found.code, account: found.name };
  };
  return figures.postings.flatMap((posting, at) => {
    const shared = { date: figures.day, reference: referenceOf(figures, at), description: describe(posting) };
    const amountMinor = BigInt(posting.amount);
    return [
      { ...shared, ...accountOf(posting.debitKind, posting.rail), debitMinor: amountMinor, creditMinor: 0n },
      { ...shared, ...accountOf(posting.creditKind, posting.rail), debitMinor: 0n, creditMinor: amountMinor },
    ];
  });
}

const referenceOf = ({ mode, day }: CloseFigures, at: number): string =>
  `${mode === 'LIVE' ? 'ML' : 'TEST'}-${day.replaceAll('-', '')}-${String(at + 1).padStart(3, '0')}`;

const describe = ({ code, rail, transfers }: PostingFigures): string =>
  `${WORDS(code)}${rail === null ? '' : ` by ${rail}`}, ${transfers} ${transfers === 1 ? 'transfer' : 'transfers'}`;

/** A general journal, one row a line: what QuickBooks, Xero, Zoho Books and Odoo import after their columns are named. */
export function journalCsv(lines: readonly JournalLine[]): string {
  const amount = (minor: bigint) => (minor === 0n ? '' : decimalText(minor));
  const records = lines.map(({ date, reference, code, account, debitMinor, creditMinor, description }) => ({
    Date: date,
    Reference: reference,
    'Account Code': code,
    'Account Name': account,
    Debit: amount(debitMinor),
    Credit: amount(creditMinor),
    Description: description,
    Currency: 'NGN',
  }));
  return stringify(records, { header: true, ...INERT });
}

/** Plain-text accounting: hledger and ledger read it as it is, hledger also where it is asked to be strict. */
export function journalLedger({ day, mode }: CloseFigures, lines: readonly JournalLine[]): string {
  const entries = [...Map.groupBy(lines, ({ reference }) => reference)].map(([reference, some]) => {
    const head = `${day} * (${reference}) ${some[0]?.description ?? ''}`;
    const rows = some.map(
      ({ account, debitMinor, creditMinor }) => `    ${account}  ${decimalText(debitMinor - creditMinor)} NGN`,
    );
    return [head, ...rows].join('\n');
  });
  const test = mode === 'SANDBOX' ? ['; TEST: of the sandbox, no real money'] : [];
  const names = [...new Set(lines.map(({ account }) => account))].toSorted();
  const declared = names.length === 0 ? [] : [names.map((name) => `account ${name}`).join('\n')];
  return `${[`; Manilla, ${day}`, ...test, 'commodity 1000.00 NGN', ...declared, ...entries].join('\n\n')}\n`;
}
