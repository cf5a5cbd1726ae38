import type { Database, Queries } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import { jsonText } from '../platform/json-text.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import type { CsvColumn } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type CustomerRow, customerList, findCustomer } from './queries.ts';

const customerNotFound = () => new AppError('not_found', 'CUSTOMER_NOT_FOUND', 'There is no customer with this id.');

/** Another change of the customer was committed first: the author of this one has to read it again. */
export const customerChanged = () =>
  new AppError(
    'conflict',
    'CUSTOMER_CHANGED',
    'The customer was changed by another request. Read it again and repeat yours.',
    {
      retryable: true,
    },
  );

/** @throws AppError `CUSTOMER_NOT_FOUND` */
export async function requireCustomer(
  queries: Queries,
  { merchantId, mode }: Tenant,
  customerId: string,
): Promise<CustomerRow> {
  const [row] = await queries.query(findCustomer, [merchantId, mode, customerId]);
  if (row === undefined) throw customerNotFound();
  return row;
}

/**
 * A merchant's customers, newest first. The two indexes of a search have them by another order, so all that it finds are read.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readCustomers(
  database: Pick<Database, 'reading'>,
  tenant: Tenant,
  search: string | undefined,
  request: ListRequest,
) {
  const wanted = wantedBy(search);
  const asked = { list: customerList(tenant, wanted), isLong: wanted !== undefined };
  return listView(await readListOf(database, tenant.merchantId, asked, request), customerView);
}

/** As names and addresses are compared; undefined: everybody is wanted. */
function wantedBy(search: string | undefined): string | undefined {
  return search?.trim().toLowerCase() || undefined;
}

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
export function exportCustomers(
  database: Database,
  tenant: Tenant,
  search: string | undefined,
  gone: AbortSignal,
): Promise<ExportFile> {
  const list = customerList(tenant, wantedBy(search));
  return exportList(database, tenant.merchantId, { list, columns: COLUMNS, shownOf: (rows) => rows }, gone);
}

export function customerView(row: CustomerRow) {
  return {
    customerId: row.id,
    name: row.name,
    email: row.email,
    phoneNumber: row.phone_number,
    metadata: row.metadata === null ? null : jsonText(row.metadata),
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
