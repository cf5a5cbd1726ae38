import type { StatementBalances, StatementEntry, StatementSums, WalletTotal } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, decimalText, toNumber, toNumberIfExact } from '../money/index.ts';
import { lagosTime } from '../platform/clock.ts';
import { type CsvColumn, csvHeader, csvLines } from '../platform/spreadsheet/write-csv.ts';
import type { Mode } from '../platform/tenant.ts';
import type { ChildBalance } from './child-wallet.ts';
import type { Child, Wallet } from './directory.ts';
import type { Moved, Summary, SummaryPeriod } from './read-summary.ts';

/** The wallet of a store or subaccount; the kind puts its own id and name before it. */
export function childWalletView(mode: Mode, child: Child, balance: ChildBalance) {
  return {
    walletId: child.wallet.id,
    bankCode: child.wallet.bankCode,
    bankName: child.wallet.bankName,
    accountName: child.wallet.accountName,
    accountNumber: child.wallet.accountNumber,
    bookedBalance: toNumber(balance.bookedMinor),
    availableBalance: toNumber(balance.availableMinor),
    mode,
    createdAt: child.createdAt,
  };
}

/** `data.wallet` of the merchant wallet operation; subaccounts are the child accounts. */
export function merchantWalletView(wallet: Wallet, { wallet: balance, subaccounts }: WalletTotal) {
  return {
    id: wallet.id,
    bankCode: wallet.bankCode,
    bankName: wallet.bankName,
    accountName: wallet.accountName,
    accountNumber: wallet.accountNumber,
    bookedBalance: toNumber(balance.bookedMinor),
    availableBalance: toNumber(balance.availableMinor),
    createdAt: wallet.createdAt,
    totalChildAccounts: subaccounts.accounts,
    totalChildAccountBalance: toNumberIfExact(subaccounts.bookedMinor),
    totalBalance: toNumberIfExact(balance.bookedMinor + subaccounts.bookedMinor),
  };
}

/** What the record of a transaction adds to an entry. */
export interface EntryNote {
  reference: string;
  narration: string;
  /** Whom a payout pays; null for everything else. */
  payee: { accountName: string; accountNumber: string; bankName: string } | null;
  /** Of the bulk payout that it is a row of. */
  batchReference: string | null;
}

/** An entry of a statement. Its code says what moved, so a fee is distinguished from the payout that it belongs to. */
export function statementEntryView(entry: StatementEntry, note: EntryNote) {
  return {
    transactionId: entry.transaction_id,
    reference: note.reference,
    type: entry.direction,
    amount: toNumber(entry.amount_minor),
    balanceAfter: toNumber(entry.balance_minor),
    code: entry.code,
    currency: entry.currency,
    narration: note.narration,
    createdAt: entry.created_at.toISOString(),
    beneficiaryAccountName: note.payee?.accountName ?? null,
    beneficiaryAccountNumber: note.payee?.accountNumber ?? null,
    beneficiaryBankName: note.payee?.bankName ?? null,
    batchReference: note.batchReference,
  };
}

/** The figures of a statement: its balances, and the sums of its entries. */
export function statementFiguresView({
  openingMinor,
  closingMinor,
  sums,
}: StatementBalances & { sums: StatementSums | null }) {
  return {
    openingBalance: toNumber(openingMinor),
    closingBalance: toNumber(closingMinor),
    totalCredits: sums === null ? null : toNumberIfExact(sums.creditsMinor),
    totalDebits: sums === null ? null : toNumberIfExact(sums.debitsMinor),
  };
}

/** What moved in a period and on each day of it, with the period before. */
export function summaryView({ walletId, period, previous }: Summary) {
  return {
    walletId,
    currency: DEFAULT_CURRENCY,
    ...summaryPeriodView(period),
    previous: summaryPeriodView(previous),
  };
}

const summaryPeriodView = ({ from, to, openingMinor, days, ...moved }: SummaryPeriod) => ({
  from,
  to,
  openingBalance: toNumber(openingMinor),
  ...movedView(moved),
  days: days.map(({ day, ...flows }) => ({ day, ...movedView(flows) })),
});

const movedView = ({ inMinor, outMinor, feesMinor, returnedFeesMinor, closingMinor }: Moved) => ({
  moneyIn: toNumberIfExact(inMinor),
  moneyOut: toNumberIfExact(outMinor),
  fees: toNumberIfExact(feesMinor),
  feesReturned: toNumberIfExact(returnedFeesMinor),
  closingBalance: toNumber(closingMinor),
});

type NotedEntry = readonly [StatementEntry, EntryNote];

/** Lagos time, and amounts as plain decimals in naira. What comes later stands behind what was there. */
const STATEMENT_COLUMNS: readonly CsvColumn<NotedEntry>[] = [
  ['createdAt', ([entry]) => lagosTime(entry.created_at)],
  ['transactionId', ([entry]) => entry.transaction_id],
  ['reference', ([, note]) => note.reference, 'DIGITS'],
  ['type', ([entry]) => entry.direction],
  ['code', ([entry]) => entry.code],
  ['narration', ([, note]) => note.narration],
  ['amount', ([entry]) => decimalText(entry.amount_minor)],
  ['balanceAfter', ([entry]) => decimalText(entry.balance_minor)],
  ['currency', ([entry]) => entry.currency],
  ['beneficiaryAccountName', ([, note]) => note.payee?.accountName ?? ''],
  ['beneficiaryAccountNumber', ([, note]) => note.payee?.accountNumber ?? '', 'DIGITS'],
  ['beneficiaryBankName', ([, note]) => note.payee?.bankName ?? ''],
  ['batchReference', ([, note]) => note.batchReference ?? ''],
];

export const statementHeader = (): string => csvHeader(STATEMENT_COLUMNS);
export const statementLines = (entries: readonly NotedEntry[]): string => csvLines(STATEMENT_COLUMNS, entries);
