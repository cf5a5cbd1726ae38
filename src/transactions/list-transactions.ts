import { findKeyEffect } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { Period } from '../platform/http/period.ts';
import { type ListRequest, sinceOf } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type DetailedRow, detailedView, type TransactionDetails } from './details.ts';
import { transactionNotFound } from './errors.ts';
import { findDetailed, type TransactionFilter, transactionList } from './list-queries.ts';
import { findTransaction, listTransactionNotes, type TransactionCategory, type TransactionRow } from './queries.ts';
import { batchIdOf, referenceOf, type TransactionStatus, transactionIdOf } from './transaction.ts';

/** How far back a search by account goes that names no beginning. */
const ACCOUNT_SEARCH_MS = 90 * 24 * 60 * 60 * 1000;
const NOTHING = '00000000-0000-0000-0000-000000000000';

/** What a merchant may ask a list for. All that is given must hold. */
interface TransactionSearch extends Partial<Period> {
  status?: TransactionStatus | undefined;
  category?: TransactionCategory | undefined;
  /** The merchant's own reference, or ours. */
  reference?: string | undefined;
  batchReference?: string | undefined;
  /** Payouts to this account, the last 90 days unless `from` is given. */
  accountNumber?: string | undefined;
  /** Of a request: what it made. */
  idempotencyKey?: string | undefined;
}

export interface TransactionReadDeps {
  database: Database;
  clock: Clock;
  details: TransactionDetails;
}

/**
 * Transactions, newest first.
 * @param olderThan only what is older than the transaction with this id; the total leaves that out
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readTransactions(
  { database, clock, details }: TransactionReadDeps,
  tenant: Tenant,
  search: TransactionSearch,
  request: ListRequest & { olderThan?: string | undefined },
) {
  const filter = { ...filterOf(search), ...(await madeUnderKey(database, tenant, search.idempotencyKey)) };
  const since = sinceOf(request) ?? beginningOf(filter, clock.now());
  const list = transactionList(tenant, filter, details, { since, olderThan: request.olderThan });
  return listView(await readList(database, list, request), (row) => detailedView(row, details));
}

/** One transaction, or, where the key made a bulk payout, its items. A key that made nothing finds nothing. */
async function madeUnderKey(queries: Queries, tenant: Tenant, key: string | undefined): Promise<TransactionFilter> {
  if (key === undefined) return {};
  const effect = (await findKeyEffect(queries, tenant, key)) ?? NOTHING;
  const [transaction] = await queries.query(findTransaction, [tenant.merchantId, tenant.mode, effect]);
  return transaction === undefined ? { madeInBatch: effect } : { madeAs: effect };
}

function filterOf({ reference, batchReference, idempotencyKey: _, ...rest }: TransactionSearch): TransactionFilter {
  const id = reference === undefined ? undefined : transactionIdOf(reference);
  // What is no reference of a batch is of no batch.
  const batchId = batchReference === undefined ? undefined : (batchIdOf(batchReference) ?? NOTHING);
  const filter = { ...rest, batchId, id, clientReference: id === undefined ? reference : undefined };
  return rest.accountNumber === undefined ? filter : { ...filter, category: rest.category ?? 'PAYOUT' };
}

/** A search by account looks at payouts alone, which have an index by account, and not for ever back unless `from` says so. */
function beginningOf({ accountNumber, from, to }: TransactionFilter, now: Date): Date | undefined {
  if (accountNumber === undefined || from !== undefined) return undefined;
  return new Date((to ?? now).getTime() - ACCOUNT_SEARCH_MS);
}

/** @throws AppError `TRANSACTION_NOT_FOUND`, for another merchant's and another mode's too. */
export async function requireTransaction(queries: Queries, tenant: Tenant, id: string): Promise<TransactionRow> {
  const [row] = await queries.query(findTransaction, [tenant.merchantId, tenant.mode, id]);
  if (row === undefined) throw transactionNotFound();
  return row;
}

/** @throws AppError `TRANSACTION_NOT_FOUND` */
export async function requireDetailed(
  queries: Queries,
  details: TransactionDetails,
  tenant: Tenant,
  id: string,
): Promise<DetailedRow> {
  const [row] = await queries.query(findDetailed(details), [tenant.merchantId, tenant.mode, id]);
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
