import {
  type Ledger,
  pageStatement,
  type StatementEntry,
  type StatementPeriod,
  streamStatement,
} from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type ExportFile, streamExport } from '../platform/exports.ts';
import type { Period } from '../platform/http/period.ts';
import { type ListRequest, sinceOf } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Wallet, WalletDirectory } from './directory.ts';
import { walletNotFound } from './errors.ts';
import { type EntryNote, statementEntryView, statementFiguresView, statementHeader, statementLines } from './views.ts';

/** How far back a statement goes that names no beginning. */
const DEFAULT_PERIOD_MS = 30 * 24 * 60 * 60 * 1000;
/** Just after now, so that what was booked in this very millisecond is included. */
const NOW_INCLUDED_MS = 1;

export interface StatementDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  clock: Clock;
  /** What is said of transactions, by id: the module `transactions` is above this one. */
  findNotes: (tenant: Tenant, transactionIds: readonly string[]) => Promise<ReadonlyMap<string, EntryNote>>;
}

/** The wallet and the period: the merchant wallet and the last 30 days by default. */
export interface StatementSearch extends Partial<Period> {
  walletId?: string;
}

/**
 * A page of a wallet's statement, newest first, with the opening and closing balance of the period.
 * @throws AppError `WALLET_NOT_FOUND`; 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readStatement(
  deps: StatementDeps,
  tenant: Tenant,
  search: StatementSearch,
  request: ListRequest,
) {
  const period = await periodOf(deps, tenant, search, sinceOf(request));
  const asked = [tenant.merchantId, tenant.mode, period.accountId, search.from, search.to];
  const since = search.from === undefined ? period.from : undefined;
  const { found, ...figures } = await pageStatement(deps.database.reading, tenant, { period, asked, since }, request);
  const notes = await notesOf(deps, tenant, found.rows);
  const page = listView(found, (entry) => statementEntryView(entry, notes(entry)));
  return { ...page, ...statementFiguresView(figures) };
}

/**
 * The same period as CSV, oldest first, complete and in constant memory.
 * @throws AppError `WALLET_NOT_FOUND`, 503 `EXPORTS_BUSY`; before the first line
 */
export async function streamStatementCsv(
  deps: StatementDeps,
  tenant: Tenant,
  search: StatementSearch,
): Promise<ExportFile> {
  const period = await periodOf(deps, tenant, search);
  return streamExport(deps.database, tenant.merchantId, csvLines(deps, tenant, period));
}

async function* csvLines(deps: StatementDeps, tenant: Tenant, period: StatementPeriod): AsyncGenerator<string> {
  yield statementHeader();
  for await (const entries of streamStatement(deps.database.reading, tenant, period)) {
    const notes = await notesOf(deps, tenant, entries);
    yield statementLines(entries.map((entry) => [entry, notes(entry)]));
  }
}

/** @param since the beginning of a statement that a client pages on in */
async function periodOf(
  deps: StatementDeps,
  tenant: Tenant,
  { walletId, from, to }: StatementSearch,
  since?: Date,
): Promise<StatementPeriod> {
  const wallet = await requireWallet(deps.wallets, tenant, walletId);
  const end = to ?? new Date(deps.clock.now().getTime() + NOW_INCLUDED_MS);
  return { accountId: wallet.id, from: from ?? since ?? new Date(end.getTime() - DEFAULT_PERIOD_MS), to: end };
}

async function requireWallet(wallets: WalletDirectory, tenant: Tenant, id: string | undefined): Promise<Wallet> {
  if (id === undefined) return (await wallets.requireTenantAccounts(tenant)).wallet;
  const wallet = await wallets.findWallet(tenant, id);
  if (wallet === undefined) throw walletNotFound();
  return wallet;
}

const NO_NOTE: EntryNote = { reference: '', narration: '', payee: null, batchReference: null };

async function notesOf(
  deps: StatementDeps,
  tenant: Tenant,
  entries: readonly StatementEntry[],
): Promise<(entry: StatementEntry) => EntryNote> {
  const ids = [...new Set(entries.map((entry) => entry.transaction_id))];
  const notes = await deps.findNotes(tenant, ids);
  return ({ transaction_id }) => notes.get(transaction_id) ?? NO_NOTE;
}
