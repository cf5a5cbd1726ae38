/** A column of a workbook; digits that are no number keep their leading zeros. */
export interface XlsxColumn {
  name: string;
  kind?: 'DIGITS';
}

/** Rows in which digits that are typed or pasted stay texts. */
const PREPARED_ROWS = 500;
const MIN_WIDTH = 14;

/** A workbook of one sheet that has a header, and below it empty rows. */
export async function emptyWorkbook(columns: readonly XlsxColumn[]): Promise<Buffer> {
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  const header = columns.map(({ name }) => ({ value: name, type: String, fontWeight: 'bold' as const }));
  const blank = columns.map(({ kind }) => (kind === 'DIGITS' ? { type: String, format: '@' } : null));
  const rows = [header, ...Array.from({ length: PREPARED_ROWS }, () => blank)];
  const widths = columns.map(({ name }) => ({ width: Math.max(MIN_WIDTH, name.length + 2) }));
  return writeXlsxFile(rows, { columns: widths, stickyRowsCount: 1 }).toBuffer();
}
