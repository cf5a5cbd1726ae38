import { type EntryRange, eachEntry, pageEntries, type StatementEntry } from '../ledger/index.ts';
import { findPayout, type PayoutRecord } from '../payouts/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { type ExportFile, makeExport } from '../platform/exports.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, listView, readList } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import { chosenColumns, csvHeader, csvLines } from '../platform/spreadsheet/write-csv.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { findTransactionNotes } from '../transactions/index.ts';
import { settlementNotFound } from './errors.ts';
import {
  listPayoutsOfSettlements,
  type SettlementFilter,
  type SettlementStateRow,
  type StateFilter,
  settlementList,
  stateList,
} from './list-queries.ts';
import { readPurposes } from './plan-settlement.ts';
import { findSettlement, type SettlementRow } from './queries.ts';
import { LINE_COLUMNS, lineView, type ShownLine, settlementView, shownLine } from './views.ts';

/** A page of a merchant's settlements, the newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY` */
export async function readSettlements(
  { database }: { database: Database },
  tenant: Tenant,
  filter: SettlementFilter,
  request: ListRequest,
) {
  const found = await readListOf(database, tenant.merchantId, { list: settlementList(tenant, filter) }, request);
  const ids = found.rows.map(({ payout_id }) => payout_id);
  const payouts = await database.query(listPayoutsOfSettlements, [tenant.merchantId, tenant.mode, ids]);
  const byId = new Map(payouts.map((payout) => [payout.id, payout]));
  return listView(found, (row) => settlementView(row, requirePayout(byId.get(row.payout_id), row)));
}

function requirePayout(payout: PayoutRecord | undefined, { id, payout_id }: SettlementRow): PayoutRecord {
  if (payout === undefined) throw new Error(`settlement ${id} has no payout ${payout_id}`);
  return payout;
}

/** @throws AppError 404 `MERCHANT_SETTLEMENT_NOT_FOUND` */
export async function requireSettlement(
  queries: Queries,
  { merchantId, mode }: Tenant,
  id: string,
): Promise<SettlementRow> {
  const [row] = await queries.query(findSettlement, [merchantId, mode, id]);
  if (row === undefined) throw settlementNotFound();
  return row;
}

/** One settlement, with its latest payout. @throws AppError 404 `MERCHANT_SETTLEMENT_NOT_FOUND` */
export async function readSettlement(queries: Queries, tenant: Tenant, id: string) {
  const row = await requireSettlement(queries, tenant, id);
  const [payout] = await queries.query(findPayout, [tenant.merchantId, tenant.mode, row.payout_id]);
  return settlementView(row, requirePayout(payout, row));
}

const rangeOf = ({ wallet_id, after_sequence, upto_sequence }: SettlementRow): EntryRange => ({
  accountId: wallet_id,
  afterSequence: after_sequence,
  upToSequence: upto_sequence,
});

/** A page of the entries of a settlement, newest first. @throws AppError as `readSettlement`, and of the cursor */
export async function readLines(queries: Queries, tenant: Tenant, id: string, request: ListRequest) {
  const row = await requireSettlement(queries, tenant, id);
  const of = [tenant.merchantId, tenant.mode, 'merchant-settlement', id];
  const found = await pageEntries(queries, tenant, { range: rangeOf(row), of }, request);
  const lines = await linesOf(queries, tenant, found.rows);
  return listView({ ...found, rows: lines }, lineView);
}

async function linesOf(queries: Queries, tenant: Tenant, entries: readonly StatementEntry[]): Promise<ShownLine[]> {
  const ids = [...new Set(entries.map(({ transaction_id }) => transaction_id))];
  const [purposes, notes] = await Promise.all([
    readPurposes(queries, tenant, ids),
    findTransactionNotes(queries, tenant, ids),
  ]);
  return entries.map((entry) =>
    shownLine(
      entry,
      purposes.get(entry.transaction_id),
      notes.get(entry.transaction_id) ?? { reference: '', narration: '' },
    ),
  );
}

/**
 * The lines of a settlement as CSV, oldest first.
 * @param gone aborted where nobody waits for it any more
 * @throws AppError as `readSettlement`; `VALIDATION_FAILED`, 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export async function exportLines(
  database: Database,
  tenant: Tenant,
  id: string,
  { columns, gone }: { columns?: string | undefined; gone: AbortSignal },
): Promise<ExportFile> {
  const chosen = chosenColumns(LINE_COLUMNS, columns);
  const row = await requireSettlement(database, tenant, id);
  async function* lines(queries: Queries) {
    yield csvHeader(chosen);
    for await (const some of eachLine(queries, tenant, row)) yield csvLines(chosen, some);
  }
  return makeExport(database, tenant.merchantId, lines, { gone });
}

/** Every line of a settlement, oldest first, in pieces. */
export async function* eachLine(queries: Queries, tenant: Tenant, row: SettlementRow): AsyncGenerator<ShownLine[]> {
  for await (const entries of eachEntry(queries, tenant, rangeOf(row))) yield linesOf(queries, tenant, entries);
}

/** The state of settlements by merchant, for the operator. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export function readSettlementStates(
  queries: Queries,
  wanted: { mode: Mode; state: StateFilter },
  request: ListRequest,
): Promise<FoundList<SettlementStateRow>> {
  return readList(queries, stateList(wanted), request);
}
