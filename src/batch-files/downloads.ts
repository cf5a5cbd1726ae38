import { stringify } from 'csv-stringify/sync';
import { type BatchRow, errorsOf, reasonOf, requireBatch, warningsOf } from '../batches/index.ts';
import { toNumber } from '../money/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { type ExportFile, makeExport } from '../platform/exports.ts';
import type { List } from '../platform/lists/list.ts';
import { everyRow } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { FIELD_NAMES } from './header.ts';
import { type RejectedRow, type ResultRow, rejectedItems, resultItems } from './queries.ts';

/** Spreadsheets take a text file for one of their country's encoding unless it begins so. */
const BYTE_ORDER_MARK = '\ufeff';

/** A column: what it is called, and what it shows of a row. */
type Column<Row> = readonly [name: string, show: (row: Row) => string];

const warnings = (item: RejectedRow): string =>
  warningsOf(item)
    .map(({ message }) => message)
    .join(' ');
/** What the reason and the warnings say, for programs. */
const codes = (item: RejectedRow): string => [...errorsOf(item), ...warningsOf(item)].map(({ code }) => code).join(' ');
/** As it was given, also where it was no amount. */
const givenAmount = ({ amount_minor, given_amount }: RejectedRow): string =>
  amount_minor === 0n && given_amount !== null ? given_amount : String(toNumber(amount_minor));
const naira = (amountMinor: bigint | null): string => (amountMinor === null ? '' : toNumber(amountMinor).toFixed(2));

/**
 * The header has names that an upload knows, and the cells are as they were given: corrected, the file is the next list.
 */
const REJECTED: readonly Column<RejectedRow>[] = [
  ['Row', (item) => String(item.position)],
  [FIELD_NAMES.amount, givenAmount],
  [FIELD_NAMES.bankCode, (item) => item.bank_code],
  [FIELD_NAMES.accountNumber, (item) => item.account_number],
  [FIELD_NAMES.givenName, (item) => item.given_name ?? ''],
  [FIELD_NAMES.narration, (item) => item.narration],
  [FIELD_NAMES.phoneNumber, (item) => item.phone_number ?? ''],
  ['Reason', (item) => reasonOf(item) ?? ''],
  ['Warnings', warnings],
  ['Codes', codes],
];

/** A row of the result, and of which batch. */
interface Result extends ResultRow {
  dispatched: boolean;
}

const RESULT: readonly Column<Result>[] = [
  ['Row', (item) => String(item.position)],
  [FIELD_NAMES.amount, givenAmount],
  [FIELD_NAMES.bankCode, (item) => item.bank_code],
  [FIELD_NAMES.bankName, (item) => item.bank_name ?? ''],
  [FIELD_NAMES.accountNumber, (item) => item.account_number],
  [FIELD_NAMES.givenName, (item) => item.given_name ?? ''],
  ['Name at the Bank', (item) => item.account_name ?? ''],
  ['Match Score', (item) => item.match_score?.toString() ?? ''],
  [FIELD_NAMES.narration, (item) => item.narration],
  [FIELD_NAMES.phoneNumber, (item) => item.phone_number ?? ''],
  ['Status', statusOf],
  ['Reason', (item) => item.payout_reason ?? reasonOf(item) ?? ''],
  ['Fee', (item) => naira(item.fee_minor)],
  ['VAT', (item) => naira(item.vat_minor)],
  ['Stamp Duty', (item) => naira(item.stamp_duty_minor)],
  ['Session ID', (item) => item.session_id ?? ''],
  ['Rail Code', (item) => item.rail_code ?? ''],
  ['Transaction ID', (item) => (item.payout_status === null ? '' : item.id)],
  ['Paid At (UTC)', (item) => item.paid_at?.toISOString() ?? ''],
  ['Warnings', warnings],
  ['Codes', codes],
];

/** That of its payout; before it is one, how far the item has come. */
function statusOf(item: Result): string {
  if (item.payout_status !== null) return item.payout_status;
  if (item.validated_at === null) return 'NOT_VALIDATED';
  if (!item.is_valid) return 'INVALID';
  return item.dispatched ? 'QUEUED' : 'VALID';
}

/** Digits that are no number: a spreadsheet would take their leading zeros, or turn them into a power of ten. */
const DIGITS_AS_TEXT: ReadonlySet<string> = new Set([
  FIELD_NAMES.bankCode,
  FIELD_NAMES.accountNumber,
  FIELD_NAMES.phoneNumber,
  'Session ID',
  'Rail Code',
]);

export const rejectedHeader = (): string => BYTE_ORDER_MARK + headerOf(REJECTED);
export const rejectedLines = (items: readonly RejectedRow[]): string => linesOf(REJECTED, items);
export const resultHeader = (): string => BYTE_ORDER_MARK + headerOf(RESULT);
export const resultLines = (batch: BatchRow, items: readonly ResultRow[]): string => {
  const dispatched = batch.dispatched_at !== null;
  return linesOf(
    RESULT,
    items.map((item) => ({ ...item, dispatched })),
  );
};

function headerOf<Row>(columns: readonly Column<Row>[]): string {
  return stringify([columns.map(([name]) => name)], { record_delimiter: 'windows' });
}

/** CSV in which nothing is run: what would be a formula has an apostrophe before it. Ours only say that digits are text. */
function linesOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const asText = columns.map(([name]) => DIGITS_AS_TEXT.has(name));
  return stringify(
    rows.map((row) => columns.map(([, show]) => show(row))),
    {
      record_delimiter: 'windows',
      escape_formulas: true,
      cast: {
        string: (value, { index }) =>
          asText[index] === true && /^\d+$/.test(value) ? { value: `="${value}"`, escape_formulas: false } : value,
      },
    },
  );
}

/** Rows read and written at once. */
const PAGE_ROWS = 2_000;

/**
 * The items that cannot be paid, as CSV: corrected, it can be uploaded as it is.
 * @throws AppError `BATCH_NOT_FOUND`; 503 `EXPORTS_BUSY`
 */
export function readRejectedCsv(database: Database, tenant: Tenant, batchReference: string): Promise<ExportFile> {
  return makeExport(database, tenant.merchantId, async function* (queries) {
    const batch = await requireBatch(queries, tenant, batchReference);
    yield rejectedHeader();
    yield* pagesOf(queries, rejectedItems(batch), rejectedLines);
  });
}

/** Every item with what became of it, as CSV. @throws AppError as `readRejectedCsv` */
export function readResultCsv(database: Database, tenant: Tenant, batchReference: string): Promise<ExportFile> {
  return makeExport(database, tenant.merchantId, async function* (queries) {
    const batch: BatchRow = await requireBatch(queries, tenant, batchReference);
    yield resultHeader();
    yield* pagesOf(queries, resultItems(batch), (items) => resultLines(batch, items));
  });
}

async function* pagesOf<Row>(
  queries: Queries,
  list: List<Row>,
  lines: (rows: readonly Row[]) => string,
): AsyncGenerator<string> {
  for await (const rows of everyRow(queries, list, PAGE_ROWS)) yield lines(rows);
}
