import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { countedPageView, MAX_COUNTED } from '../platform/http/counted-page.ts';
import type { Period } from '../platform/http/period.ts';
import { offsetOf, type PageRequest } from '../platform/http/schemas.ts';
import type { Tenant } from '../platform/tenant.ts';
import { transactionNotFound } from './errors.ts';
import {
  countTransactions,
  findTransaction,
  listTransactionNotes,
  listTransactions,
  type TransactionCategory,
  type TransactionFilter,
  type TransactionRow,
} from './queries.ts';
import { batchIdOf, referenceOf, transactionIdOf } from './reference.ts';
import type { TransactionStatus } from './transaction-state.ts';
import { transactionView } from './views.ts';

/** How far back a search by account goes that names no beginning. */
const ACCOUNT_SEARCH_MS = 90 * 24 * 60 * 60 * 1000;

/** What a merchant may ask a list for. All that is given must hold. */
export interface TransactionSearch extends Partial<Period> {
  status?: TransactionStatus;
  category?: TransactionCategory;
  /** The merchant's own reference, or ours. */
  reference?: string;
  batchReference?: string;
  /** Payouts to this account, the last 90 days unless `from` is given. */
  accountNumber?: string;
  /** Only what is older than this transaction: pages by key, at any depth. */
  before?: string;
}

/** A page of transactions, newest first. */
export async function readTransactions(
  { database, clock }: { database: Database; clock: Clock },
  tenant: Tenant,
  search: TransactionSearch,
  page: PageRequest,
) {
  const filter = filterOf(search, clock.now());
  if (filter === undefined) return countedPageView(page, 0, []);
  const counting = countTransactions(tenant, { ...filter, before: undefined }, MAX_COUNTED + 1);
  const listing = listTransactions(tenant, filter, offsetOf(page), page.size + 1);
  const [[count], rows] = await Promise.all([
    database.query(counting.statement, counting.values),
    database.query(listing.statement, listing.values),
  ]);
  return countedPageView(page, count?.total ?? 0, rows.map(transactionView));
}

/** Undefined when nothing can match, as for a batch reference that is not one. */
function filterOf(search: TransactionSearch, now: Date): TransactionFilter | undefined {
  const { reference, batchReference, ...rest } = search.accountNumber === undefined ? search : payoutsTo(search, now);
  const batchId = batchReference === undefined ? undefined : batchIdOf(batchReference);
  if (batchReference !== undefined && batchId === undefined) return undefined;
  const id = reference === undefined ? undefined : transactionIdOf(reference);
  return { ...rest, batchId, id, clientReference: id === undefined ? reference : undefined };
}

/**
 * Accounts have no index: it would cost every payout more than a search is worth. So only payouts are looked through, by
 * time, and not for ever back.
 */
function payoutsTo(search: TransactionSearch, now: Date): TransactionSearch {
  const from = search.from ?? new Date((search.to ?? now).getTime() - ACCOUNT_SEARCH_MS);
  return { ...search, from, category: search.category ?? 'PAYOUT' };
}

/** @throws AppError `TRANSACTION_NOT_FOUND`, for another merchant's and another mode's too. */
export async function requireTransaction(queries: Queries, tenant: Tenant, id: string): Promise<TransactionRow> {
  const [row] = await queries.query(findTransaction, [tenant.merchantId, tenant.mode, id]);
  if (row === undefined) throw transactionNotFound();
  return row;
}

/** Reference and narration of transactions by id, for statements. */
export async function findTransactionNotes(
  queries: Queries,
  tenant: Tenant,
  ids: readonly string[],
): Promise<Map<string, { reference: string; narration: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.query(listTransactionNotes, [tenant.merchantId, tenant.mode, ids]);
  return new Map(
    rows.map((row) => [row.id, { reference: row.client_reference ?? referenceOf(row.id), narration: row.narration }]),
  );
}
