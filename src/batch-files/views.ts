import { toNumber } from '../money/index.ts';
import { columnName } from '../platform/spreadsheet/cells.ts';
import type { GivenRow, TakenRow } from './read-row.ts';
import type { SheetUnderstood } from './rows-of-sheet.ts';

/** Up to this, kobo are exact as a JSON number. */
const MAX_SHOWN_MINOR = 7_000_000_000_000_000n;

/** The part that is kept and sent to webhooks. The items have the content of the file. */
export const withoutSamples = (seen: SheetUnderstood): SheetUnderstood => ({
  ...seen,
  columns: seen.columns.map((column) => ({ ...column, samples: [] })),
});

/** How a file was understood. `totalMinor` is in kobo and sums all rows. */
export function understoodView(
  { sheets, sheet, header, mapping, columns, leftOut, formulas }: SheetUnderstood,
  { count, totalMinor }: { count: number; totalMinor: bigint },
) {
  const read = [...(mapping?.columns ?? [])].toSorted((a, b) => a[1] - b[1]);
  return {
    sheet: sheets.length === 0 ? null : (sheet?.name ?? null),
    sheets,
    headerRow: header?.row ?? null,
    mapping: Object.fromEntries(read.map(([field, column]) => [columnName(column), field])),
    mappingFrom: mapping?.from ?? null,
    columns,
    rowsRead: count,
    leftOut: leftOut.rows.toSorted((a, b) => a.row - b.row),
    leftOutRows: leftOut.count,
    formulas,
    total: totalMinor > MAX_SHOWN_MINOR || totalMinor < -MAX_SHOWN_MINOR ? null : toNumber(totalMinor),
  };
}

/** A row as it would become an item. */
export function previewRowView(given: GivenRow, row: TakenRow, bankName: string, isValid: boolean) {
  return {
    row: row.position,
    amount: row.givenAmount === null ? toNumber(row.amountMinor) : null,
    givenAmount: given.amount,
    bankCode: row.bankCode,
    bankName,
    accountNumber: row.accountNumber,
    accountName: row.givenName ?? '',
    narration: row.narration,
    phoneNumber: row.phoneNumber,
    isValid,
  };
}
