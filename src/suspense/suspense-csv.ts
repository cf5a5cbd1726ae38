import { readMerchantNames } from '../merchants/index.ts';
import { DEFAULT_CURRENCY, decimalText } from '../money/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import type { CsvColumn } from '../platform/spreadsheet/write-csv.ts';
import { type SuspenseFilter, type SuspenseRow, suspenseList } from './queue-queries.ts';

type NamedRow = SuspenseRow & { business_name: string };

const COLUMNS: readonly CsvColumn<NamedRow>[] = [
  ['Since (UTC)', ({ since }) => since.toISOString()],
  ['Kind', ({ kind }) => kind],
  ['Status', ({ status }) => status],
  ['Reason', ({ reason }) => reason ?? ''],
  ['Mode', ({ mode }) => mode],
  ['Merchant', ({ business_name }) => business_name],
  ['Merchant ID', ({ merchant_id }) => merchant_id ?? ''],
  ['Amount', ({ amount_minor }) => (amount_minor === null ? '' : decimalText(amount_minor))],
  ['Currency', () => DEFAULT_CURRENCY],
  ['Amount Is', ({ is_confirmed }) => (is_confirmed ? 'CONFIRMED' : 'REPORTED')],
  ['Payer', ({ payer_name }) => payer_name ?? ''],
  ['Payer Account Number', ({ payer_account_number }) => payer_account_number ?? '', 'DIGITS'],
  ['Payer Bank', ({ payer_bank_name }) => payer_bank_name ?? ''],
  ['Narration', ({ narration }) => narration ?? ''],
  ['To Account Number', ({ account_number }) => account_number ?? '', 'DIGITS'],
  ['Provider Account', ({ rail }) => rail],
  ['Provider Reference', ({ provider_reference }) => provider_reference ?? '', 'DIGITS'],
  ['Session ID', ({ session_id }) => session_id ?? '', 'DIGITS'],
  ['Payment ID', ({ payment_id }) => payment_id ?? ''],
  ['Credit Key', ({ credit_key }) => credit_key ?? ''],
];

/**
 * Money that waits for two people as CSV, whoever's it is, what waits longest first, amounts in naira.
 * @param owner whose other downloads it waits for
 * @throws AppError 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export function exportSuspense(database: Database, filter: SuspenseFilter, owner: string): Promise<ExportFile> {
  return exportList(database, owner, { list: suspenseList(filter), columns: COLUMNS, shownOf: withNames });
}

async function withNames(rows: SuspenseRow[], queries: Queries): Promise<NamedRow[]> {
  const names = await readMerchantNames(
    queries,
    rows.flatMap(({ merchant_id }) => merchant_id ?? []),
  );
  return rows.map((row) => ({ ...row, business_name: names.get(row.merchant_id ?? '') ?? '' }));
}
