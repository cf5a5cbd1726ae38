import { findKeyEffect, listStateChanges, listSubjectEvents, listTransactionTransfers } from '../ledger/index.ts';
import { decimalText, parseAmountText } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import type { Period } from '../platform/http/period.ts';
import { NIL_ID } from '../platform/ids.ts';
import { type ListRequest, sinceOf } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { addUpList, readListOf } from '../platform/lists/totals.ts';
import { type CsvColumns, chosenColumns } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findDetailed, looksThrough, type TimeOrder, type TransactionFilter, transactionList } from './list-queries.ts';
import {
  findTransaction,
  listTransactionNotes,
  type NotedRow,
  type TransactionCategory,
  type TransactionRow,
} from './queries.ts';
import {
  batchIdOf,
  batchReferenceOf,
  referenceOf,
  type TransactionStatus,
  transactionIdOf,
  transactionNotFound,
} from './transaction.ts';
import { type DetailedRow, detailedView, historyView, listTotalsView, type TransactionDetails } from './views.ts';

/** Amounts are in naira with two decimals. An empty cell stands for a value that was not given. */
const COLUMNS: CsvColumns<DetailedRow> = {
  createdAt: ['Created At (UTC)', ({ created_at }) => created_at.toISOString()],
  paidAt: ['Paid At (UTC)', ({ paid_at }) => paid_at?.toISOString() ?? ''],
  category: ['Category', ({ category }) => category],
  status: ['Status', ({ status }) => status],
  reason: ['Reason', ({ reason }) => reason ?? ''],
  amount: ['Amount', ({ amount_minor }) => decimalText(amount_minor)],
  charges: ['Charges', ({ charges_minor }) => decimalText(charges_minor)],
  total: ['Total', ({ amount_minor, charges_minor }) => decimalText(amount_minor + charges_minor)],
  currency: ['Currency', ({ currency }) => currency],
  beneficiary: ['Beneficiary', ({ beneficiary_account_name }) => beneficiary_account_name],
  beneficiaryAccount: [
    'Beneficiary Account Number',
    ({ beneficiary_account_number }) => beneficiary_account_number,
    'DIGITS',
  ],
  beneficiaryBank: ['Beneficiary Bank', ({ beneficiary_bank_name }) => beneficiary_bank_name],
  originator: ['Originator', ({ originator_account_name }) => originator_account_name],
  originatorAccount: [
    'Originator Account Number',
    ({ originator_account_number }) => originator_account_number,
    'DIGITS',
  ],
  originatorBank: ['Originator Bank', ({ originator_bank_name }) => originator_bank_name],
  narration: ['Narration', ({ narration }) => narration],
  reference: ['Reference', ({ id, client_reference }) => client_reference ?? referenceOf(id), 'DIGITS'],
  batchReference: ['Batch Reference', ({ batch_id }) => (batch_id === null ? '' : batchReferenceOf(batch_id))],
  transactionId: ['Transaction ID', ({ id }) => id],
};

/** The columns that a file of transactions may have, those of the details behind the others. */
export function transactionColumns({ csvColumns }: TransactionDetails): CsvColumns<DetailedRow> {
  return { ...COLUMNS, ...csvColumns };
}

/** How far back a search goes that no index answers and that names no beginning. */
const SEARCH_MS = 90 * 24 * 60 * 60 * 1000;

/** The search of a merchant. A transaction has to meet all conditions that are given. */
export interface TransactionSearch extends Partial<Period> {
  statuses?: readonly TransactionStatus[] | undefined;
  category?: TransactionCategory | undefined;
  /** The merchant's own reference, or ours. */
  reference?: string | undefined;
  batchReference?: string | undefined;
  /** Payouts to this account, the last 90 days unless `from` is given. */
  accountNumber?: string | undefined;
  /** A part of the name or account number on the other side; the last 90 days, as for whatever follows. */
  counterparty?: string | undefined;
  /** In minor units, inclusive. */
  amountFromMinor?: bigint | undefined;
  amountToMinor?: bigint | undefined;
  /** Payouts through this rail. */
  rail?: string | undefined;
  /** The key of a request, for the transactions that it made. */
  idempotencyKey?: string | undefined;
  order?: TimeOrder | undefined;
}

export interface TransactionReadDeps {
  database: Database;
  clock: Clock;
  details: TransactionDetails;
}

/**
 * Transactions, newest first unless it is said otherwise.
 * @param olderThan only what is older than the transaction with this id; the total leaves that out
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readTransactions(
  deps: TransactionReadDeps,
  tenant: Tenant,
  search: TransactionSearch,
  request: ListRequest & { olderThan?: string | undefined },
) {
  const { database, details } = deps;
  const { list, isLong } = await listFor(deps, tenant, search, request);
  const found = await readListOf(database, tenant.merchantId, { list, isLong }, request);
  return listView(found, (row) => detailedView(row, details));
}

/**
 * Sums the transactions of a search by status, in naira. With more than 100,000 of them it only counts.
 * @throws AppError 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function addUpTransactions(
  deps: TransactionReadDeps,
  tenant: Tenant,
  search: TransactionSearch,
  gone: AbortSignal | undefined,
) {
  const { list, isLong } = await listFor(deps, tenant, search);
  const searcher = { owner: tenant.merchantId, gone, isIndexed: !isLong };
  return listTotalsView(await addUpList(deps.database, searcher, list, ['charges_minor']));
}

/**
 * All transactions of a search as CSV, amounts in naira.
 * @param columns names of columns with commas between them; all where undefined
 * @param gone aborted where nobody waits for it any more
 * @throws AppError `VALIDATION_FAILED`, 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export async function exportTransactions(
  deps: TransactionReadDeps,
  tenant: Tenant,
  search: TransactionSearch,
  { columns, gone }: { columns: string | undefined; gone: AbortSignal },
): Promise<ExportFile> {
  const chosen = chosenColumns(transactionColumns(deps.details), columns);
  const { list } = await listFor(deps, tenant, search);
  return exportList(deps.database, tenant.merchantId, { list, columns: chosen, shownOf: (rows) => rows }, gone);
}

/** The list of a search, and whether it is long to look through. */
async function listFor(
  { database, clock, details }: TransactionReadDeps,
  tenant: Tenant,
  { order, ...search }: TransactionSearch,
  request?: ListRequest & { olderThan?: string | undefined },
) {
  const filter = { ...filterOf(search), ...(await madeUnderKey(database, tenant, search.idempotencyKey)) };
  const begun = request === undefined ? undefined : sinceOf(request);
  const since = begun ?? beginningOf(filter, clock.now());
  const list = transactionList(tenant, filter, details, { since, order, olderThan: request?.olderThan });
  return { list, isLong: looksThrough(filter) };
}

/** One transaction, or, where the key made a bulk payout, its items. A key that made nothing finds nothing. */
async function madeUnderKey(queries: Queries, tenant: Tenant, key: string | undefined): Promise<TransactionFilter> {
  if (key === undefined) return {};
  const effect = (await findKeyEffect(queries, tenant, key)) ?? NIL_ID;
  const [transaction] = await queries.query(findTransaction, [tenant.merchantId, tenant.mode, effect]);
  return transaction === undefined ? { madeInBatch: effect } : { madeAs: effect };
}

function filterOf({ reference, batchReference, idempotencyKey: _, ...rest }: TransactionSearch): TransactionFilter {
  const id = reference === undefined ? undefined : transactionIdOf(reference);
  // A text that is no reference of a batch belongs to no batch.
  const batchId = batchReference === undefined ? undefined : (batchIdOf(batchReference) ?? NIL_ID);
  const filter = { ...rest, batchId, id, clientReference: id === undefined ? reference : undefined };
  const isOfPayouts = rest.accountNumber !== undefined || rest.rail !== undefined;
  return isOfPayouts ? { ...filter, category: rest.category ?? 'PAYOUT' } : filter;
}

/**
 * Names, amounts and rails have no index: it would cost every payout more than a search is worth. So the rows are looked
 * through by time, and not for ever back; nor are payouts by account, which have one, unless `from` says so.
 */
function beginningOf(filter: TransactionFilter, now: Date): Date | undefined {
  const { accountNumber, from, to } = filter;
  if ((accountNumber === undefined && !looksThrough(filter)) || from !== undefined) return undefined;
  return new Date((to ?? now).getTime() - SEARCH_MS);
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

interface TransactionNote {
  reference: string;
  narration: string;
  /** Whom a payout pays; null for everything else. */
  payee: { accountName: string; accountNumber: string; bankName: string } | null;
  /** Of the bulk payout that it is a row of. */
  batchReference: string | null;
}

/** What statements say of transactions, by id. */
export async function findTransactionNotes(
  queries: Queries,
  tenant: Tenant,
  ids: readonly string[],
): Promise<Map<string, TransactionNote>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.query(listTransactionNotes, [tenant.merchantId, tenant.mode, ids]);
  return new Map(rows.map((row) => [row.id, noteOf(row)]));
}

function noteOf(row: NotedRow): TransactionNote {
  const { category, beneficiary_account_name, beneficiary_account_number, beneficiary_bank_name } = row;
  return {
    reference: row.client_reference ?? referenceOf(row.id),
    narration: row.narration,
    payee:
      category === 'PAYOUT'
        ? {
            accountName: beneficiary_account_name,
            accountNumber: beneficiary_account_number,
            bankName: beneficiary_bank_name,
          }
        : null,
    batchReference: row.batch_id === null ? null : batchReferenceOf(row.batch_id),
  };
}

/** Amounts in minor units, both inclusive. */
interface AmountRange {
  amountFromMinor?: bigint | undefined;
  amountToMinor?: bigint | undefined;
}

/**
 * The range of amounts in a request, which has them in naira as text.
 * @throws AppError `VALIDATION_FAILED`, also for a range with nothing in it
 */
export function amountsOf(query: { amountFrom?: string; amountTo?: string }): AmountRange {
  const [amountFromMinor, amountToMinor] = [minorOf(query, 'amountFrom'), minorOf(query, 'amountTo')];
  if (amountFromMinor !== undefined && amountToMinor !== undefined && amountToMinor < amountFromMinor) {
    throw invalidField('amountTo', 'must not be less than amountFrom');
  }
  return { amountFromMinor, amountToMinor };
}

function minorOf<Field extends string>(query: { [field in Field]?: string }, field: Field): bigint | undefined {
  const text: string | undefined = query[field];
  return text === undefined ? undefined : parseAmountText(text, field, { allowZero: true });
}

/**
 * The parts that modules above this one add to a transaction in the form of the API, such as the attempts of a payout.
 */
export type EvidenceParts = (
  queries: Queries,
  tenant: Tenant,
  transaction: TransactionRow,
) => Promise<Record<string, unknown>>;

/**
 * The transaction, its transfers, its states, its events, and what other modules add: all of one moment.
 * @throws AppError `TRANSACTION_NOT_FOUND`
 */
export function readEvidence(
  deps: { database: Database; details: TransactionDetails; evidenceParts?: EvidenceParts | undefined },
  tenant: Tenant,
  id: string,
) {
  return deps.database.snapshot(async (queries) => {
    const row = await requireDetailed(queries, deps.details, tenant, id);
    const [transfers, stateChanges, events, parts] = await Promise.all([
      listTransactionTransfers(queries, tenant, row.id),
      listStateChanges(queries, tenant, row.id),
      listSubjectEvents(queries, tenant, row.id),
      deps.evidenceParts?.(queries, tenant, row),
    ]);
    return { transaction: detailedView(row, deps.details), ...historyView(transfers, stateChanges, events), ...parts };
  });
}
