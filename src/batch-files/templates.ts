import type { Queries } from '../platform/db/database.ts';
import { csvHeader } from '../platform/spreadsheet/write-csv.ts';
import { emptyWorkbook } from '../platform/spreadsheet/write-xlsx.ts';
import type { Tenant } from '../platform/tenant.ts';
import { FIELD_NAMES, type Field } from './column-names.ts';
import { lastColumns, type RememberedColumn } from './remembered-mappings.ts';

const STANDARD: readonly RememberedColumn[] = (
  ['accountName', 'bankName', 'accountNumber', 'amount', 'narration', 'phoneNumber'] as const
).map((field) => ({ name: FIELD_NAMES[field], field }));

/** What a spreadsheet would take for a number, and its leading zeros with it. */
const DIGITS: ReadonlySet<Field | null> = new Set(['accountNumber', 'bankCode', 'phoneNumber'] as const);

/** An empty list with the columns of the merchant's last file, or the standard ones before the first, as CSV. */
export async function csvTemplate(queries: Queries, tenant: Tenant): Promise<string> {
  const columns = await columnsFor(queries, tenant);
  return csvHeader(columns.map(({ name }) => [name, () => '']));
}

/** The same as a workbook, in which account numbers stay as they are typed. */
export async function workbookTemplate(queries: Queries, tenant: Tenant): Promise<Buffer> {
  const columns = await columnsFor(queries, tenant);
  return emptyWorkbook(columns.map(({ name, field }) => (DIGITS.has(field) ? { name, kind: 'DIGITS' } : { name })));
}

const columnsFor = async (queries: Queries, tenant: Tenant): Promise<readonly RememberedColumn[]> =>
  (await lastColumns(queries, tenant)) ?? STANDARD;
