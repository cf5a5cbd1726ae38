import {
  type Ledger,
  pageStatement,
  type StatementEntry,
  type StatementRange,
  streamStatement,
} from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { countedPageView, MAX_COUNTED } from '../platform/http/counted-page.ts';
import type { Period } from '../platform/http/period.ts';
import { offsetOf, type PageRequest } from '../platform/http/schemas.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Wallet, WalletDirectory } from './directory.ts';
import { walletNotFound } from './errors.ts';
import { type EntryNote, STATEMENT_HEADER, statementEntryView, statementLine } from './views.ts';

/** How far back a statement goes that names no beginning. */
const DEFAULT_PERIOD_MS = 30 * 24 * 60 * 60 * 1000;
/** Just after now, so that what was booked in this very millisecond is in. */
const NOW_INCLUDED_MS = 1;

export interface StatementDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  clock: Clock;
  /** Reference and narration of transactions, by id: the records stand above the wallets. */
  findNotes: (tenant: Tenant, transactionIds: readonly string[]) => Promise<ReadonlyMap<string, EntryNote>>;
}

/** Which wallet, and when: the merchant wallet and the last 30 days unless told otherwise. */
export interface StatementSearch extends Partial<Period> {
  walletId?: string;
}

/** A page of a wallet's statement, newest first. @throws AppError `WALLET_NOT_FOUND` */
export async function readStatement(deps: StatementDeps, tenant: Tenant, search: StatementSearch, page: PageRequest) {
  const range = await rangeOf(deps, tenant, search);
  const reach = { offset: offsetOf(page), limit: page.size + 1, countUpTo: MAX_COUNTED + 1 };
  const found = await pageStatement(deps.database, tenant, range, reach);
  const noted = await withNotes(deps, tenant, found.entries);
  const records = noted.map(([entry, note]) => statementEntryView(entry, note));
  return countedPageView(page, found.counted, records);
}

/**
 * The same period as CSV, oldest first, whole and in constant memory.
 * @throws AppError `WALLET_NOT_FOUND`, before the first line
 */
export async function streamStatementCsv(
  deps: StatementDeps,
  tenant: Tenant,
  search: StatementSearch,
): Promise<AsyncGenerator<string>> {
  return csvLines(deps, tenant, await rangeOf(deps, tenant, search));
}

async function* csvLines(deps: StatementDeps, tenant: Tenant, range: StatementRange): AsyncGenerator<string> {
  yield STATEMENT_HEADER;
  for await (const entries of streamStatement(deps.database, tenant, range)) {
    const noted = await withNotes(deps, tenant, entries);
    yield noted.map(([entry, note]) => statementLine(entry, note)).join('');
  }
}

async function rangeOf(deps: StatementDeps, tenant: Tenant, search: StatementSearch): Promise<StatementRange> {
  const { walletId, ...period } = search;
  const wallet = await requireWallet(deps.wallets, tenant, walletId);
  const to = period.to ?? new Date(deps.clock.now().getTime() + NOW_INCLUDED_MS);
  const from = period.from ?? new Date(to.getTime() - DEFAULT_PERIOD_MS);
  return { accountId: wallet.id, from, to };
}

async function requireWallet(wallets: WalletDirectory, tenant: Tenant, id: string | undefined): Promise<Wallet> {
  if (id === undefined) return (await wallets.requireTenantAccounts(tenant)).wallet;
  const wallet = await wallets.findWallet(tenant, id);
  if (wallet === undefined) throw walletNotFound();
  return wallet;
}

async function withNotes(
  deps: StatementDeps,
  tenant: Tenant,
  entries: readonly StatementEntry[],
): Promise<[StatementEntry, EntryNote][]> {
  const ids = [...new Set(entries.map((entry) => entry.transaction_id))];
  const notes = await deps.findNotes(tenant, ids);
  return entries.map((entry) => [entry, notes.get(entry.transaction_id) ?? { reference: '', narration: '' }]);
}
