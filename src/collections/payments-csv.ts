import { decimalText } from '../money/index.ts';
import type { Database } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import type { CsvColumn } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type InboundFilter, type InboundPaymentRow, inboundList } from './queries.ts';
import { netOf } from './views.ts';

const COLUMNS: readonly CsvColumn<InboundPaymentRow>[] = [
  ['Confirmed At (UTC)', ({ confirmed_at }) => confirmed_at.toISOString()],
  ['Paid At (UTC)', ({ paid_at }) => paid_at?.toISOString() ?? ''],
  ['Amount', ({ amount_minor }) => decimalText(amount_minor)],
  ['Fee', ({ fee_minor }) => decimalText(fee_minor)],
  ['VAT', ({ vat_minor }) => decimalText(vat_minor)],
  ['Net', (row) => decimalText(netOf(row))],
  ['Currency', ({ currency }) => currency],
  ['Status', ({ status }) => status],
  ['Reason', ({ reason }) => reason ?? ''],
  ['Payer', ({ payer_name }) => payer_name ?? ''],
  ['Payer Account Number', ({ payer_account_number }) => payer_account_number ?? '', 'DIGITS'],
  ['Payer Bank', ({ payer_bank_name }) => payer_bank_name ?? ''],
  ['Narration', ({ narration }) => narration ?? ''],
  ['To Account Number', ({ account_number }) => account_number, 'DIGITS'],
  ['Customer ID', ({ customer_id }) => customer_id ?? ''],
  ['Wallet ID', ({ wallet_id }) => wallet_id],
  ['Session ID', ({ session_id }) => session_id ?? '', 'DIGITS'],
  ['Provider Reference', ({ provider_reference }) => provider_reference ?? '', 'DIGITS'],
  ['Payment ID', ({ id }) => id],
];

/**
 * A merchant's payments in as CSV, newest first, amounts in naira.
 * @throws AppError 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export function exportPayments(database: Database, tenant: Tenant, filter: InboundFilter): Promise<ExportFile> {
  return exportList(database, tenant.merchantId, {
    list: inboundList(tenant, filter),
    columns: COLUMNS,
    shownOf: (rows) => rows,
  });
}
