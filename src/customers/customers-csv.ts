import type { Database } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import type { CsvColumn } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type CustomerRow, customerList } from './queries.ts';
import { wantedBy } from './read-customers.ts';

const COLUMNS: readonly CsvColumn<CustomerRow>[] = [
  ['Created At (UTC)', ({ created_at }) => created_at.toISOString()],
  ['Updated At (UTC)', ({ updated_at }) => updated_at.toISOString()],
  ['Name', ({ name }) => name],
  ['E-mail', ({ email }) => email],
  ['Phone', ({ phone_number }) => phone_number ?? '', 'DIGITS'],
  ['Customer ID', ({ id }) => id],
];

/**
 * A merchant's customers as CSV, newest first; those whose name or e-mail address begins with the search.
 * @throws AppError 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export function exportCustomers(database: Database, tenant: Tenant, search: string | undefined): Promise<ExportFile> {
  return exportList(database, tenant.merchantId, {
    list: customerList(tenant, wantedBy(search)),
    columns: COLUMNS,
    shownOf: (rows) => rows,
  });
}
