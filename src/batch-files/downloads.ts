import {
  type BatchRow,
  errorsOf,
  isUnread,
  keptProblems,
  reasonOf,
  requireBatch,
  warningsOf,
  warningTexts,
} from '../batches/index.ts';
import { decimalText, plainText } from '../money/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { type ExportFile, makeExport, PAGE_ROWS } from '../platform/exports.ts';
import type { List } from '../platform/lists/list.ts';
import { everyRow } from '../platform/lists/read-list.ts';
import { type CsvColumn, csvHeader, csvLines } from '../platform/spreadsheet/write-csv.ts';
import { emptyWorkbook } from '../platform/spreadsheet/write-xlsx.ts';
import type { Tenant } from '../platform/tenant.ts';
import { FIELD_NAMES, type Field } from './column-names.ts';
import { lastColumns, type RememberedColumn } from './map-columns.ts';
import { type RejectedRow, type ResultRow, rejectedItems, resultItems } from './queries.ts';

const warnings = (item: RejectedRow): string => warningTexts(item).join(' ');
/** The codes of the errors and warnings, for programs. */
const codes = (item: RejectedRow): string => [...errorsOf(item), ...warningsOf(item)].map(({ code }) => code).join(' ');
/** Spreadsheets show this for a value that is missing. Read again, it is an error as before. */
const NOT_THERE = '#N/A';
/** A cell that could not be read is written as an error again. If it were empty, the row would be paid without it. */
const orFault =
  (field: Field, show: (item: RejectedRow) => string) =>
  (item: RejectedRow): string => {
    const fault = keptProblems(item.item_warnings).find((problem) => isUnread(problem) && problem.field === field);
    return fault === undefined ? show(item) : String(fault.params['text'] ?? NOT_THERE);
  };
/** The amount as it was given, also where it was no amount. */
const givenAmount = ({ amount_minor, given_amount }: RejectedRow): string =>
  amount_minor === 0n && given_amount !== null ? given_amount : plainText(amount_minor);
/** A charge that was made: what is held for a payout on its way, was released or was returned is none. */
const charge =
  (column: 'fee_minor' | 'vat_minor' | 'stamp_duty_minor') =>
  ({ payout_status, [column]: amountMinor }: ResultRow): string =>
    payout_status === 'SUCCESS' && amountMinor !== null ? decimalText(amountMinor) : '';

/**
 * The header has names that an upload knows, and the cells are as they were given: corrected, the file is the next list.
 */
const REJECTED: readonly CsvColumn<RejectedRow>[] = [
  ['Row', (item) => String(item.position)],
  [FIELD_NAMES.amount, orFault('amount', givenAmount)],
  [FIELD_NAMES.bankCode, orFault('bankCode', (item) => item.bank_code), 'DIGITS'],
  [FIELD_NAMES.accountNumber, orFault('accountNumber', (item) => item.account_number), 'DIGITS'],
  [FIELD_NAMES.accountName, orFault('accountName', (item) => item.given_name ?? '')],
  [FIELD_NAMES.narration, orFault('narration', (item) => item.narration)],
  [FIELD_NAMES.phoneNumber, orFault('phoneNumber', (item) => item.phone_number ?? ''), 'DIGITS'],
  ['Reason', (item) => reasonOf(item) ?? ''],
  ['Warnings', warnings],
  ['Codes', codes],
];

/** A row of the result with the reference of its batch. */
interface Result extends ResultRow {
  dispatched: boolean;
}

const RESULT: readonly CsvColumn<Result>[] = [
  ['Row', (item) => String(item.position)],
  [FIELD_NAMES.amount, givenAmount],
  [FIELD_NAMES.bankCode, (item) => item.bank_code, 'DIGITS'],
  [FIELD_NAMES.bankName, (item) => item.bank_name ?? ''],
  [FIELD_NAMES.accountNumber, (item) => item.account_number, 'DIGITS'],
  [FIELD_NAMES.accountName, (item) => item.given_name ?? ''],
  ['Name at the Bank', (item) => item.account_name ?? ''],
  ['Match Score', (item) => item.match_score?.toString() ?? ''],
  [FIELD_NAMES.narration, (item) => item.narration],
  [FIELD_NAMES.phoneNumber, (item) => item.phone_number ?? '', 'DIGITS'],
  ['Status', statusOf],
  ['Reason', (item) => item.payout_reason ?? reasonOf(item) ?? ''],
  ['Fee', charge('fee_minor')],
  ['VAT', charge('vat_minor')],
  ['Stamp Duty', charge('stamp_duty_minor')],
  ['Session ID', (item) => item.session_id ?? '', 'DIGITS'],
  ['Rail Code', (item) => item.rail_code ?? '', 'DIGITS'],
  ['Transaction ID', (item) => (item.payout_status === null ? '' : item.id)],
  ['Paid At (UTC)', (item) => item.paid_at?.toISOString() ?? ''],
  ['Warnings', warnings],
  ['Codes', codes],
];

/** The status of its payout. Before there is one, the state of the item. */
function statusOf(item: Result): string {
  if (item.payout_status !== null) return item.payout_status;
  if (item.validated_at === null) return 'NOT_VALIDATED';
  if (!item.is_valid) return 'INVALID';
  return item.dispatched ? 'QUEUED' : 'VALID';
}

const rejectedHeader = (): string => csvHeader(REJECTED);
const rejectedLines = (items: readonly RejectedRow[]): string => csvLines(REJECTED, items);
const resultHeader = (): string => csvHeader(RESULT);
const resultLines = (batch: BatchRow, items: readonly ResultRow[]): string => {
  const dispatched = batch.dispatched_at !== null;
  return csvLines(
    RESULT,
    items.map((item) => ({ ...item, dispatched })),
  );
};

/**
 * The items that cannot be paid, as CSV: corrected, it can be uploaded as it is.
 * @throws AppError `BATCH_NOT_FOUND`; 503 `EXPORTS_BUSY`
 */
export function readRejectedCsv(
  database: Database,
  tenant: Tenant,
  batchReference: string,
  gone: AbortSignal,
): Promise<ExportFile> {
  async function* lines(queries: Queries) {
    const batch = await requireBatch(queries, tenant, batchReference);
    yield rejectedHeader();
    yield* pagesOf(queries, rejectedItems(batch), rejectedLines);
  }
  return makeExport(database, tenant.merchantId, lines, { gone });
}

/** All items of the batch with their outcomes, as CSV. @throws AppError as `readRejectedCsv` */
export function readResultCsv(
  database: Database,
  tenant: Tenant,
  batchReference: string,
  gone: AbortSignal,
): Promise<ExportFile> {
  async function* lines(queries: Queries) {
    const batch: BatchRow = await requireBatch(queries, tenant, batchReference);
    yield resultHeader();
    yield* pagesOf(queries, resultItems(batch), (items) => resultLines(batch, items));
  }
  return makeExport(database, tenant.merchantId, lines, { gone });
}

async function* pagesOf<Row>(
  queries: Queries,
  list: List<Row>,
  lines: (rows: readonly Row[]) => string,
): AsyncGenerator<string> {
  for await (const rows of everyRow(queries, list, PAGE_ROWS)) yield lines(rows);
}

const STANDARD: readonly RememberedColumn[] = (
  ['accountName', 'bankName', 'accountNumber', 'amount', 'narration', 'phoneNumber'] as const
).map((field) => ({ name: FIELD_NAMES[field], field }));

/** Fields that a spreadsheet would take for numbers, dropping their leading zeros. */
const DIGITS: ReadonlySet<Field | null> = new Set(['accountNumber', 'bankCode', 'phoneNumber'] as const);

/** An empty list with the columns of the merchant's last file, or the standard ones before the first, as CSV. */
export async function csvTemplate(queries: Queries, tenant: Tenant): Promise<string> {
  const columns = await columnsFor(queries, tenant);
  return csvHeader(columns.map(({ name }) => [name, () => '']));
}

/** The same list as a workbook, in which account numbers stay as they are typed. */
export async function workbookTemplate(queries: Queries, tenant: Tenant): Promise<Buffer> {
  const columns = await columnsFor(queries, tenant);
  return emptyWorkbook(columns.map(({ name, field }) => (DIGITS.has(field) ? { name, kind: 'DIGITS' } : { name })));
}

const columnsFor = async (queries: Queries, tenant: Tenant): Promise<readonly RememberedColumn[]> =>
  (await lastColumns(queries, tenant)) ?? STANDARD;
