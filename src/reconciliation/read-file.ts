import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import { AppError } from '../platform/errors.ts';
import { fileChanged, fileUnreadable, headerUnknown, tooManyLines } from './errors.ts';

/** A month of a busy rail. More is several files. */
export const MAX_LINES = 500_000;
/** Statements begin with the account and the period; the header comes within this many rows. */
const HEADER_WITHIN = 20;
/** No real line is longer; a file without line breaks must not be read into memory. */
const MAX_LINE_BYTES = 65_536;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Enough to see the header's separators. */
const PEEK_BYTES = 65_536;
const SEPARATORS = [',', ';', '\t', '|'];
/** Lines handed on at once. */
const PIECE = 1_000;

/** Opens the file from its beginning; may be called several times. */
export type OpenFile = () => Readable;

/** SHA-256 of a file, hex. */
export async function hashFile(open: OpenFile): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(open(), hash);
  return hash.digest('hex');
}

/** The identity of a file: in another unit it is another file, so that a wrong unit can be corrected. */
export function importHash(fileHash: string, { amountsInKobo = false }: { amountsInKobo?: boolean }): string {
  return amountsInKobo ? createHash('sha256').update(`kobo ${fileHash}`).digest('hex') : fileHash;
}

/** Whether the file itself is wrong, so that nothing of it is kept. */
export const isOfFile = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === 'invalid' || error.code === fileChanged().code);

/** The columns of a kind of file. */
export interface FileFormat<Places, Line> {
  /** What a header has to name before anything can be compared, in words. */
  needed: readonly string[];
  /**
   * The place of each column, or undefined where this row is no header: then it is one of the lines above the header.
   */
  readHeader(cells: readonly string[]): Places | undefined;
  readLine(cells: readonly string[], places: Places, lineNumber: number): Line;
}

/**
 * The lines of a CSV file of a rail or provider in pieces, read as fast as they are taken, so that memory is the same
 * for any length. It ends with an error where the file does not have this hash.
 * @throws AppError `SETTLEMENT_FILE_UNREADABLE`, `SETTLEMENT_HEADER_UNKNOWN`, `SETTLEMENT_FILE_TOO_LONG`,
 *   `SETTLEMENT_FILE_CHANGED`.
 */
export async function* readFile<Places, Line>(
  open: OpenFile,
  { hash, format }: { hash: string; format: FileFormat<Places, Line> },
): AsyncGenerator<Line[]> {
  const head = await peek(open);
  requireText(head);
  const delimiter = separatorOf(String(head), format);
  const seen = createHash('sha256');
  const isTooLong = longLines();
  const watched = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen.update(chunk);
      if (isTooLong(chunk)) done(fileUnreadable(`a line of it is longer than ${MAX_LINE_BYTES / 1024} KB`));
      else done(null, chunk);
    },
  });
  const parser = parse({
    bom: true,
    delimiter,
    // Any of them, also where a file has several: otherwise the parser uses the first one, and reads two lines as one.
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
  });
  const read = pipeline(open(), watched, parser);
  // The error is handled below, where the rows are taken.
  read.catch(() => undefined);
  yield* piecesOf(parser, format);
  await read;
  if (seen.digest('hex') !== hash) throw fileChanged();
}

/** Says for each chunk whether a line is too long by then: the parser's own count leaves out separators. */
function longLines(): (chunk: Buffer) => boolean {
  let length = 0;
  return (chunk) => {
    for (const byte of chunk) {
      length = byte === LINE_FEED || byte === CARRIAGE_RETURN ? 0 : length + 1;
      if (length > MAX_LINE_BYTES) return true;
    }
    return false;
  };
}

async function* piecesOf<Places, Line>(
  parser: Parser,
  { needed, readHeader, readLine }: FileFormat<Places, Line>,
): AsyncGenerator<Line[]> {
  let places: Places | undefined;
  let first: string[] = [];
  let rows = 0;
  let lines = 0;
  let piece: Line[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      rows += 1;
      // No column of the database can hold it.
      if (record.some((cell) => cell.includes('\0'))) throw fileUnreadable(NO_TEXT);
      if (places === undefined) {
        if (rows === 1) first = record;
        places = readHeader(record);
        if (places === undefined && rows === HEADER_WITHIN) break;
        continue;
      }
      lines += 1;
      if (lines > MAX_LINES) throw tooManyLines(MAX_LINES);
      piece.push(readLine(record, places, info.lines));
      if (piece.length < PIECE) continue;
      yield piece;
      piece = [];
    }
  } catch (error) {
    throw error instanceof CsvError ? fileUnreadable(error.message, error) : error;
  }
  if (places === undefined) throw headerUnknown(needed, first);
  if (piece.length > 0) yield piece;
}

async function peek(open: OpenFile): Promise<Buffer> {
  const file = open();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes >= PEEK_BYTES) break;
  }
  file.destroy();
  return Buffer.concat(chunks);
}

const ZIP = Buffer.from('PK\u0003\u0004');
const UTF16 = Buffer.from([0xff, 0xfe]);

const NO_TEXT = 'it does not hold text';

/** For a workbook or a picture the refusal says what it is, and does not show its bytes. */
function requireText(head: Buffer): void {
  if (head.subarray(0, ZIP.length).equals(ZIP)) {
    throw fileUnreadable('it looks like an Excel workbook. Save it as CSV there, and import that');
  }
  if (head.includes(0) && !head.subarray(0, UTF16.length).equals(UTF16)) {
    throw fileUnreadable(NO_TEXT);
  }
}

/**
 * The separator by which one of the first rows is a header: a title or an amount may have more of another one. Where
 * none is, the one that splits the widest of them, not counting quoted ones.
 */
function separatorOf(text: string, { readHeader }: Pick<FileFormat<unknown, unknown>, 'readHeader'>): string {
  const heads = firstRows(text);
  const isHeader = (separator: string) =>
    heads.some((row) => readHeader(row.split(separator).map((cell) => cell.replaceAll('"', '').trim())) !== undefined);
  const named = SEPARATORS.filter(isHeader);
  const rows = firstRows(text.replaceAll(/"[^"]*"/g, ''));
  const widest = (separator: string) => Math.max(0, ...rows.map((row) => row.split(separator).length));
  const among = named.length > 0 ? named : SEPARATORS;
  return among.reduce((best, separator) => (widest(separator) > widest(best) ? separator : best));
}

const firstRows = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .filter((row) => row.trim() !== '')
    .slice(0, HEADER_WITHIN);
