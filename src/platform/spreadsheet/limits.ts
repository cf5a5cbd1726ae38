/** What a file may ask of the service. Each limit is far above what a payroll of 100,000 people needs. */

/** 100,000 rows of a payroll have 7 to 10 MB as CSV and less as a workbook. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** As many rows as a worksheet can have; most of them may be empty. */
export const MAX_SHEET_ROWS = 1_048_576;
/** A list to be paid has about ten columns. */
export const MAX_COLUMNS = 50;
/** Ten times the longest narration. */
export const MAX_CELL_CHARACTERS = 1_000;
/** Twice what `MAX_COLUMNS` full cells come to. A quotation mark that is never closed ends here. */
export const MAX_LINE_BYTES = 100 * 1024;
/** A workbook of 100,000 rows unpacks to 60 or 80 MB. Counted while unpacking: what the file says of itself is not believed. */
export const MAX_INFLATED_BYTES = 400 * 1024 * 1024;
/** 100,000 rows are read within 5 s on a small machine. Waiting for whoever takes the rows does not count. */
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
/** Texts that a workbook keeps in one place: a name, an account and a narration of their own for each of 100,000 rows fit. */
export const MAX_SHARED_TEXT_BYTES = 32 * 1024 * 1024;
export const MAX_SHARED_TEXTS = 1_000_000;
/** Sheets beyond this are not a list to be paid. */
export const MAX_SHEETS = 200;

/** Rows that travel together from the thread that reads to the one that keeps them. */
export const PIECE_ROWS = 500;
/** Pieces that are read ahead of whoever takes them. */
export const PIECES_AHEAD = 2;
/** Megabytes of heap for reading rows: ten times what 100,000 ordinary rows need. */
export const READER_HEAP_MB = 96;
