import type { StatementBalances, StatementEntry, StatementSums, WalletTotal } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, toNumber, toNumberIfExact } from '../money/index.ts';
import { lagosTime } from '../platform/clock.ts';
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

/** The header of a statement's CSV, in the order of `statementLine`. */
export const STATEMENT_HEADER =
  'createdAt,transactionId,reference,type,code,narration,amount,balanceAfter,currency\r\n';

/** An entry as a line of CSV: Lagos time, and amounts as plain decimals in naira. */
export function statementLine(entry: StatementEntry, note: EntryNote): string {
  const cells = [
    lagosTime(entry.created_at),
    entry.transaction_id,
    cell(note.reference),
    entry.direction,
    entry.code,
    cell(note.narration),
    toNumber(entry.amount_minor).toFixed(2),
    toNumber(entry.balance_minor).toFixed(2),
    entry.currency,
  ];
  return `${cells.join(',')}\r\n`;
}

/**
 * A cell that a spreadsheet would run as a formula gets an apostrophe before it; the rest is quoted where CSV needs it.
 */
function cell(text: string): string {
  const inert = /^[\s]*[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
