import { decimalText } from '../money/index.ts';
import type { Database } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import type { CsvColumn } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type SessionFilter, type SessionRow, sessionList } from './queries.ts';

const COLUMNS: readonly CsvColumn<SessionRow>[] = [
  ['Created At (UTC)', ({ created_at }) => created_at.toISOString()],
  ['Paid At (UTC)', ({ paid_at }) => paid_at?.toISOString() ?? ''],
  ['Expires At (UTC)', ({ expires_at }) => expires_at.toISOString()],
  ['Status', ({ status }) => status],
  ['Amount', ({ amount_minor }) => decimalText(amount_minor)],
  ['Amount To Pay', ({ payable_minor }) => decimalText(payable_minor)],
  ['Received', ({ received_minor }) => decimalText(received_minor)],
  ['Currency', ({ currency }) => currency],
  ['Amount Rule', ({ amount_rule }) => amount_rule],
  ['Reference', ({ reference }) => reference, 'DIGITS'],
  ['Description', ({ description }) => description ?? ''],
  ['Customer', ({ customer_name }) => customer_name],
  ['Customer E-mail', ({ customer_email }) => customer_email],
  ['Customer Phone', ({ customer_phone }) => customer_phone ?? '', 'DIGITS'],
  ['Customer ID', ({ customer_id }) => customer_id ?? ''],
  ['Payment Link ID', ({ link_id }) => link_id ?? ''],
  ['Wallet ID', ({ wallet_id }) => wallet_id],
  ['Opened By', ({ opened_by }) => opened_by],
  ['Session ID', ({ id }) => id],
];

/**
 * A merchant's payment sessions as CSV, newest first, amounts in naira.
 * @throws AppError 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export function exportSessions(database: Database, tenant: Tenant, filter: SessionFilter): Promise<ExportFile> {
  return exportList(database, tenant.merchantId, {
    list: sessionList(tenant, filter),
    columns: COLUMNS,
    shownOf: (rows) => rows,
  });
}
