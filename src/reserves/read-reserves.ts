import type { Database } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import type { List, ListRequest } from '../platform/lists/list.ts';
import { everyRow, listView, readList } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import { chosenColumns } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import { keptList, type MerchantReserveRow, type ReserveRow, type ReserveStatus } from './queries.ts';
import { keptReserveView, RESERVE_COLUMNS } from './views.ts';

/** All given conditions must hold. */
export interface ReserveFilter {
  walletId?: string | undefined;
  status?: ReserveStatus | undefined;
}

/** The newest payment first: ids sort by time. */
export function reserveList({ merchantId, mode }: Tenant, filter: ReserveFilter): List<ReserveRow> {
  const { walletId, status } = filter;
  const values: unknown[] = [merchantId, mode];
  const where = ['r.merchant_id = $1', 'r.mode = $2'];
  if (walletId !== undefined) where.push(`r.wallet_id = $${values.push(walletId)}`);
  if (status !== undefined) where.push(`r.released_at is ${status === 'KEPT' ? 'null' : 'not null'}`);
  return {
    name: 'reserves',
    of: [merchantId, mode, filter],
    order: {
      direction: 'desc',
      keys: [{ sql: 'r.payment_id', type: 'uuid', of: ({ payment_id }) => payment_id }],
    },
    columns: `r.merchant_id, r.mode, r.payment_id, r.wallet_id, r.rule_id, r.amount_minor, r.kept_at, r.release_on, r.due_at,
      r.released_at, r.release_id`,
    from: 'reserves r',
    where,
    values,
  };
}

/**
 * What was kept of a merchant's payments, one by one. No index leads to those of a filter.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readReserves(database: Database, tenant: Tenant, filter: ReserveFilter, request: ListRequest) {
  const isLong = (filter.walletId ?? filter.status) !== undefined;
  const list = reserveList(tenant, filter);
  const found = await readListOf(database, tenant.merchantId, { list, isLong }, request);
  return listView(found, keptReserveView);
}

/**
 * The same as CSV, in the order of the list, amounts in naira.
 * @throws AppError `VALIDATION_FAILED`, 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export async function exportReserves(
  database: Database,
  tenant: Tenant,
  filter: ReserveFilter,
  { columns, gone }: { columns?: string | undefined; gone: AbortSignal },
): Promise<ExportFile> {
  const list = reserveList(tenant, filter);
  const chosen = chosenColumns(RESERVE_COLUMNS, columns);
  return exportList(database, tenant.merchantId, { list, columns: chosen, shownOf: (rows) => rows }, gone);
}

/** What is kept of all merchants, those with the most first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export const readKept = (database: Database, request: ListRequest) => readList(database, keptList(), request);

/** Rows that are read at once where all are read. */
const ROWS_AT_ONCE = 500;

/** The same of all of them, or of one, at one moment. */
export const listKept = (database: Database, merchantId?: string): Promise<MerchantReserveRow[]> =>
  database.snapshot(async (queries) => {
    const all: MerchantReserveRow[] = [];
    for await (const rows of everyRow(queries, keptList(merchantId), ROWS_AT_ONCE)) all.push(...rows);
    return all;
  });
