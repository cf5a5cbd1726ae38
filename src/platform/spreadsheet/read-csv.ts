import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TextDecoder } from 'node:util';
import { CsvError, type Info, parse } from 'csv-parse';
import { bytesOf } from '../uploads.ts';
import { checkedRow, type SheetNotes, type SheetRow, type Sheets } from './cells.ts';
import {
  fileDamaged,
  fileEmpty,
  fileEncodingUnknown,
  HEAD_ROWS,
  lineTooLong,
  MAX_LINE_BYTES,
  MAX_SHEET_ROWS,
  quoteMayBeOpen,
  quoteUnclosed,
  separatorsMixed,
  sheetTooTall,
} from './errors.ts';

/** How the bytes of a text file become characters. */
type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * By the byte order mark; otherwise UTF-8 where the bytes are valid, and else Windows-1252, which older spreadsheets
 * write. Reads the whole file.
 * @throws AppError `FILE_EMPTY`
 */
async function detectEncoding(fd: number): Promise<TextEncodingName> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  let size = 0;
  for await (const chunk of bytesOf(fd)) {
    if (size === 0) {
      if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
      if (chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be';
    }
    size += chunk.length;
    isUtf8 = isUtf8 && decodes(decoder, chunk);
  }
  if (size === 0) throw fileEmpty();
  return isUtf8 && decodes(decoder) ? 'utf-8' : 'windows-1252';
}

function decodes(decoder: TextDecoder, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

/** No text has these: whatever holds them is an image, a program, or text in an encoding that does not say so. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /[\u0001-\u0008\u000e-\u001f]/;

/** The file's text, piece by piece, without a byte order mark. @throws AppError `FILE_ENCODING_UNKNOWN`, `FILE_DAMAGED` */
async function* textOf(fd: number, encoding: TextEncodingName): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw fileEncodingUnknown('The file holds bytes that are no characters.');
    }
  };
  for await (const chunk of bytesOf(fd)) yield checked(decode(chunk));
  yield checked(decode());
}

function checked(text: string): string {
  if (text.includes('\0')) throw fileEncodingUnknown('The file holds NUL characters, so it is no plain text.');
  if (BINARY.test(text)) throw fileDamaged('The file holds control characters, so it is no plain text.');
  return text;
}

const SEPARATORS = [',', ';', '\t', '|'] as const;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
/** A line that spreadsheets of some countries write first, to name the separator. */
const SEPARATOR_LINE = /^sep=(.)(?:\r\n?|\n)/i;

/**
 * A CSV file as one sheet without a name. The separator is the one that its first lines agree on; a row ends with any of the
 * three line ends outside of quotation marks.
 *
 * @throws AppError for a file that cannot be read with certainty, with the row at fault.
 */
export async function openCsv(fd: number, notes: SheetNotes): Promise<Sheets> {
  const reading = readCsv(fd, notes);
  const head: SheetRow[] = [];
  while (head.length < HEAD_ROWS) {
    const { value, done } = await reading.next();
    if (done === true) break;
    head.push(value);
  }
  async function* rows(): AsyncGenerator<SheetRow> {
    yield* head;
    yield* reading;
  }
  return { heads: [{ name: '', rows: head }], rows };
}

async function* readCsv(fd: number, notes: SheetNotes): AsyncGenerator<SheetRow> {
  const encoding = await detectEncoding(fd);
  if (encoding === 'windows-1252') {
    notes.notes.push({ kind: 'NOT_UTF8' });
  }
  const { separator, text } = await openText(withoutLongLines(textOf(fd, encoding)));
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // Read and counted, so that rows keep their numbers; the parser is slow with rows that are not as long as the
    // first.
    skip_empty_lines: true,
    info: true,
    // `="0123"` and 5" are texts as they are.
    relax_quotes: true,
    max_record_size: MAX_LINE_BYTES,
  });
  const feeding = pipeline(Readable.from(withoutOpenQuotes(text, separator)), parser);
  const holdsRows = rowsWithin(separator);
  feeding.catch(() => undefined);
  const place = { row: 0, width: 0 };
  let filled = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      place.row = info.records + info.empty_lines;
      if (place.row > MAX_SHEET_ROWS) throw sheetTooTall();
      if (record.some(holdsRows)) throw quoteMayBeOpen(place.row);
      const row = checkedRow(place.row, record);
      if (row.cells.length === 0) continue;
      if (record.length > row.cells.length) row.width = record.length;
      filled += 1;
      notes.emptyRows = place.row - filled;
      yield consistent(row, place, separator);
    }
    await feeding;
  } catch (error) {
    throw error instanceof CsvError ? inWords(error, rowAt(error) ?? place.row + 1) : error;
  }
}

/**
 * Whether a cell with line ends has a number as long as an account's between separators: then a quotation mark that
 * stands for an inch, or for a repeated word, has opened it, and another one has closed it some rows below.
 */
function rowsWithin(separator: string): (cell: string) => boolean {
  const border = `[${RegExp.escape(separator)}\\r\\n]`;
  const account = new RegExp(`(?:^|${border})[ "'=]{0,5}\\d{9,10}[ "']{0,5}(?:${border}|$)`);
  const isBroken = (cell: string) => cell.includes('\n') || cell.includes('\r');
  return (cell) => isBroken(cell) && cell.split(separator).length > 2 && account.test(cell);
}

/** A row of one cell in a file of many columns, with another separator in it, comes from another file. */
function consistent(row: SheetRow, place: { width: number }, separator: string): SheetRow {
  if (place.width === 0) place.width = row.cells.length;
  const [only = ''] = row.cells;
  if (place.width > 1 && row.cells.length === 1) {
    const other = SEPARATORS.find((one) => one !== separator && only.split(one).length >= place.width);
    if (other !== undefined) throw separatorsMixed(row.row, separator, other);
  }
  return row;
}

/** The row at which the parser is: rows that it has read may not have been taken yet. */
function rowAt(error: CsvError & Partial<Info>): number | undefined {
  const { records, empty_lines: empty } = error;
  return typeof records === 'number' && typeof empty === 'number' ? records + empty + 1 : undefined;
}

function inWords(error: CsvError, row: number): Error {
  if (error.code === 'CSV_MAX_RECORD_SIZE') return lineTooLong(row);
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return quoteUnclosed(row);
  return fileDamaged(`Row ${row} cannot be read as CSV.`);
}

/** Lines in which the separator is searched: a header and some rows below titles. */
const HEAD_LINES = 30;
/** For ordinary lines: after so many characters, two lines are enough. */
const HEAD_CHARACTERS = 64 * 1024;
/** Enough for two of the longest lines. The separator is not searched any further. */
const MAX_HEAD_CHARACTERS = 4 * HEAD_CHARACTERS;

/**
 * Reads until the first lines are there, so that the separator is known before the first row is split. All of them are
 * examined again with each piece that arrives, and those are few.
 */
async function openText(pieces: AsyncGenerator<string>): Promise<{ separator: string; text: AsyncGenerator<string> }> {
  let head = '';
  while (!isEnough(head)) {
    const { value, done } = await pieces.next();
    if (done === true) break;
    head += value;
  }
  const said = SEPARATOR_LINE.exec(head);
  const rest = said === null ? head : head.slice(said[0].length);
  async function* text() {
    yield rest;
    yield* pieces;
  }
  return { separator: said?.[1] ?? separatorOf(linesOf(rest)), text: text() };
}

function isEnough(head: string): boolean {
  if (head.length >= MAX_HEAD_CHARACTERS) return true;
  return linesOf(head).length > (head.length >= HEAD_CHARACTERS ? 1 : HEAD_LINES);
}

/** Lines with content; quoted text is left out. The last line may be incomplete. */
function linesOf(text: string): string[] {
  return text
    .replaceAll(/"[^"]*"/g, '')
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .slice(0, HEAD_LINES + 1);
}

/** Passes text on, and fails at the first line that is too long, which the parser would collect in memory. */
async function* withoutLongLines(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  let length = 0;
  let line = 1;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += 1) {
      const unit = piece.charCodeAt(at);
      if (unit === LINE_FEED || unit === CARRIAGE_RETURN) {
        length = 0;
        if (unit === LINE_FEED || piece.charCodeAt(at + 1) !== LINE_FEED) line += 1;
      } else {
        length += 1;
        if (length > MAX_LINE_BYTES) throw lineTooLong(line);
      }
    }
    yield piece;
  }
}

/**
 * Passes text on. Fails where a quotation mark opened a cell before a line end, and the next one neither closes the
 * cell nor is doubled: that one opens a cell of another row, and the rows between are no text of one cell.
 */
async function* withoutOpenQuotes(pieces: AsyncGenerator<string>, separator: string): AsyncGenerator<string> {
  const separatorUnit = separator.charCodeAt(0);
  let row = 1;
  let last = LINE_FEED;
  let state: 'OUTSIDE' | 'INSIDE' | 'MARK' = 'OUTSIDE';
  let hasLineEnd = false;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += 1) {
      const unit = piece.charCodeAt(at);
      const isLineEnd = unit === LINE_FEED || unit === CARRIAGE_RETURN;
      if (state === 'MARK') {
        const isClosed = isLineEnd || unit === separatorUnit;
        if (!isClosed && unit !== QUOTE && hasLineEnd) throw quoteMayBeOpen(row);
        state = unit === QUOTE ? 'INSIDE' : 'OUTSIDE';
      } else if (state === 'INSIDE') {
        if (unit === QUOTE) state = 'MARK';
        hasLineEnd ||= isLineEnd;
      } else if (unit === QUOTE && (last === separatorUnit || last === LINE_FEED || last === CARRIAGE_RETURN)) {
        state = 'INSIDE';
        hasLineEnd = false;
      }
      if (state === 'OUTSIDE' && isLineEnd && !(unit === LINE_FEED && last === CARRIAGE_RETURN)) row += 1;
      last = unit;
    }
    yield piece;
  }
}

/**
 * The separator that most lines have equally often, since titles above a table have it seldom or not at all; the one
 * that the first line has most of, where no more than two lines agree on another.
 */
function separatorOf(lines: readonly string[]): string {
  const [first = ''] = lines;
  const found = SEPARATORS.map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1).filter((count) => count > 0);
    return { separator, inFirst: first.split(separator).length - 1, agreeing: mostAlike(counts) };
  });
  const most = (of: (one: (typeof found)[number]) => number) => found.toSorted((a, b) => of(b) - of(a))[0];
  const inFirst = most((one) => one.inFirst);
  const agreed = most((one) => one.agreeing);
  const isAgreed = (agreed?.agreeing ?? 0) > Math.max(2, inFirst?.agreeing ?? 0) || inFirst?.inFirst === 0;
  return (isAgreed ? agreed : inFirst)?.separator ?? ',';
}

function mostAlike(counts: readonly number[]): number {
  return Math.max(0, ...counts.map((count) => counts.filter((other) => other === count).length));
}
