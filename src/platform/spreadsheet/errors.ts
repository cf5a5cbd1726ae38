import { AppError } from '../errors.ts';

/** Limits of a file. Each is far above what a payroll of 100,000 people needs. */

/** 100,000 rows of a payroll have 7 to 10 MB as CSV and less as a workbook. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** As many rows as a worksheet can have; most of them may be empty. */
export const MAX_SHEET_ROWS = 1_048_576;
/** A list to be paid has about ten columns. */
export const MAX_COLUMNS = 50;
/** Ten times the longest narration. */
export const MAX_CELL_CHARACTERS = 1_000;
/** Twice what `MAX_COLUMNS` full cells add up to. A quotation mark that is never closed ends here. */
export const MAX_LINE_BYTES = 100 * 1024;
/**
 * A workbook of 100,000 rows unpacks to 60 or 80 MB. Counted while unpacking: the sizes that the file states are not
 * believed.
 */
export const MAX_INFLATED_BYTES = 400 * 1024 * 1024;
/**
 * 100,000 rows are read within 5 s on a small machine. Time in which the reader waits for its consumer does not count.
 */
export const MAX_READ_MS = 60_000;

/** Excel itself writes about twenty. */
export const MAX_ZIP_ENTRIES = 1_000;
export const MAX_ZIP_NAME = 200;
/** Text or mark-up between two tags, far above a full cell with all its characters escaped. */
export const MAX_XML_TOKEN = 256 * 1024;
/** A worksheet nests about ten levels deep. */
export const MAX_XML_DEPTH = 64;
/** Elements of a workbook have a handful, its root some more. */
export const MAX_XML_ATTRIBUTES = 200;
/**
 * Texts that a workbook keeps in one place: enough for a different name, account and narration in each of 100,000 rows.
 */
export const MAX_SHARED_TEXT_BYTES = 32 * 1024 * 1024;
export const MAX_SHARED_TEXTS = 1_000_000;
/** As many as Excel takes. */
export const MAX_CELL_FORMATS = 65_490;
/** Sheets beyond this are not a list to be paid. */
export const MAX_SHEETS = 200;

/** Rows of each sheet that are read before one sheet is chosen: a header below titles, and some rows below it. */
export const HEAD_ROWS = 26;
/** Mark-up of a sheet that is read before it is chosen: 20 rows of 50 full cells, twice. */
export const MAX_HEAD_BYTES = 4 * 1024 * 1024;
/** The text of all those first rows: twenty times what 50 sheets with payrolls have. */
export const MAX_HEADS_CHARACTERS = 8_000_000;

/** Rows that are sent together from the reading thread to the main one. */
export const PIECE_ROWS = 500;
/** Pieces that are read ahead of their consumer. */
export const PIECES_AHEAD = 2;
/** Megabytes of heap for reading rows: ten times what 100,000 ordinary rows need. */
export const READER_HEAP_MB = 96;

/** What is wrong with a file, for the person who made it. Nothing of the file was stored. */

export const fileEmpty = () => new AppError('invalid', 'FILE_EMPTY', 'The file is empty.');

export const fileTooLarge = (maxBytes: number) =>
  new AppError('invalid', 'FILE_TOO_LARGE', `The file is larger than ${maxBytes / 1024 / 1024} MB.`);

export const fileKindUnsupported = (what: string) =>
  new AppError('invalid', 'FILE_KIND_UNSUPPORTED', `${what} Save the list as CSV or as an Excel workbook (.xlsx).`);

export const fileDamaged = (what: string) => new AppError('invalid', 'FILE_DAMAGED', what);

export const fileEncodingUnknown = (what: string) =>
  new AppError('invalid', 'FILE_ENCODING_UNKNOWN', `${what} Save the file as "CSV UTF-8".`);

export const cellTooLong = (cell: string) =>
  new AppError('invalid', 'FILE_CELL_REFUSED', `Cell ${cell} has more than ${MAX_CELL_CHARACTERS} characters.`);

export const lineTooLong = (row: number) =>
  new AppError(
    'invalid',
    'FILE_DAMAGED',
    `Row ${row} is longer than ${MAX_LINE_BYTES / 1024} KB. A quotation mark in it may not be closed, or the file has no line ends.`,
  );

export const quoteUnclosed = (row: number) =>
  new AppError('invalid', 'FILE_DAMAGED', `A quotation mark in row ${row} is opened and never closed.`);

export const quoteMayBeOpen = (row: number) =>
  fileDamaged(
    `A quotation mark in row ${row} may not be closed: the rows below it would be a text of that row. Close it, or take it out.`,
  );

export const separatorsMixed = (row: number, separator: string, other: string) =>
  new AppError(
    'invalid',
    'FILE_DAMAGED',
    `Row ${row} is separated by ${nameOf(other)}, the first row by ${nameOf(separator)}. Use one separator in the whole file.`,
  );

export const tooManyRows = (maxRows: number) =>
  new AppError(
    'invalid',
    'FILE_TOO_MANY_ROWS',
    `The file has more than ${maxRows.toLocaleString('en')} rows below its header.`,
  );

export const sheetTooTall = () =>
  new AppError('invalid', 'FILE_TOO_MANY_ROWS', `The file has more than ${MAX_SHEET_ROWS.toLocaleString('en')} rows.`);

export const tooManyColumns = (row: number) =>
  new AppError('invalid', 'FILE_TOO_MANY_COLUMNS', `Row ${row} has more than ${MAX_COLUMNS} columns.`);

export const inflatesTooFar = () =>
  fileTooComplex(`The workbook unpacks to more than ${MAX_INFLATED_BYTES / 1024 / 1024} MB.`);

export const readingTooSlow = () => fileTooComplex(`The file takes longer than ${MAX_READ_MS / 1000} s to read.`);

export const readingTooBig = () =>
  fileTooComplex('The file needs more memory to be read than a list of payouts would.');

export function fileTooComplex(what: string): AppError {
  return new AppError('invalid', 'FILE_TOO_COMPLEX', `${what} Paste the list into a new file and upload that.`);
}

const NAMES: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' };

function nameOf(separator: string): string {
  return NAMES[separator] ?? `"${separator}"`;
}
