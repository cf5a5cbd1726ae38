import { isUtf8 } from 'node:buffer';
import type { Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { CsvError, type Info, type Parser, parse } from 'csv-parse';
import { cleanedText } from '../platform/text.ts';
import { fileUnreadable, headerUnknown, listTooLong, nameMissing } from './errors.ts';
import type { EntryRow } from './queries.ts';

/** Sanctions lists of states have some tens of thousands. */
export const MAX_ENTRIES = 200_000;
/** So many names, each with a few aliases. */
export const MAX_LIST_BYTES = 32 * 1024 * 1024;
const MAX_NAME_LENGTH = 300;
/** No honest line is longer; a file without line breaks must not be read into memory. */
const MAX_LINE_BYTES = 65_536;
/** Of the file at once: to read their rows holds the thread for some milliseconds. */
const PIECE_BYTES = 16 * 1024;
/** Entries handed on at once: to write them holds the thread for some milliseconds. */
const PIECE = 1_000;

/** Opens the file from its beginning, as often as it is asked. */
export type OpenFile = () => Readable;

export type ListedEntry = Omit<EntryRow, 'list_id'>;

/**
 * The entries of a list's CSV file in pieces, as fast as they are taken and no faster: the one thread of everybody reads a piece
 * of the file at a time, and memory stays the same for any length.
 * @param seen is given all bytes of the file
 * @throws AppError 400 `SCREENING_FILE_UNREADABLE`, `SCREENING_HEADER_UNKNOWN`, `SCREENING_NAME_MISSING`,
 *   `SCREENING_LIST_TOO_LONG`.
 */
export async function* readListFile(open: OpenFile, seen: Hash): AsyncGenerator<ListedEntry[]> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
  });
  const read = pipeline(Readable.from(linesOf(open(), seen)), parser);
  // Heard below, where the rows are taken.
  read.catch(() => undefined);
  yield* piecesOf(parser);
  await read;
}

const LINE_FEED = 0x0a;

/** The file's text in pieces of whole lines, so that what is no text has a line. */
async function* linesOf(file: AsyncIterable<Buffer>, seen: Hash): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  let before = 0;
  for await (const chunk of smallPieces(file)) {
    seen.update(chunk);
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    rest = bytes.subarray(end);
    if (end > 0) {
      const whole = bytes.subarray(0, end);
      yield textOf(whole, before);
      before += countLines(whole);
    }
    if (rest.length > MAX_LINE_BYTES) throw fileUnreadable(`Line ${before + 1} is longer than 64 KB.`);
  }
  if (rest.length > 0) yield textOf(rest, before);
}

/** Between two of them everybody else has their turn. */
async function* smallPieces(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of file) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      await setImmediate();
      yield chunk.subarray(at, at + PIECE_BYTES);
    }
  }
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}

const ZIP = Buffer.from('PK\u0003\u0004');

/** @param before lines that came before */
function textOf(bytes: Buffer, before: number): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8');
  if (before === 0 && bytes.subarray(0, ZIP.length).equals(ZIP)) {
    throw fileUnreadable('The file looks like an Excel workbook. Save it there as CSV in UTF-8, and import that.');
  }
  let line = before;
  for (let from = 0; from < bytes.length; ) {
    line += 1;
    const end = bytes.indexOf(LINE_FEED, from) + 1 || bytes.length;
    const one = bytes.subarray(from, end);
    if (!isUtf8(one) || one.includes(0)) break;
    from = end;
  }
  throw fileUnreadable(`Line ${line} holds bytes that are no characters of UTF-8. Save the file as CSV in UTF-8.`);
}

interface Places {
  name: number;
  aliases: number;
  accountNumber: number;
  bankCode: number;
}

function placesOf(header: readonly string[]): Places {
  const names = header.map((name) => name.trim().toLowerCase().replaceAll(/\s+/g, '_'));
  const name = names.indexOf('name');
  if (name === -1) throw headerUnknown(header);
  return {
    name,
    aliases: names.indexOf('aliases'),
    accountNumber: names.indexOf('account_number'),
    bankCode: names.indexOf('bank_code'),
  };
}

async function* piecesOf(parser: Parser): AsyncGenerator<ListedEntry[]> {
  let places: Places | undefined;
  let row = 0;
  let piece: ListedEntry[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      if (places === undefined) {
        places = placesOf(record);
        continue;
      }
      row += 1;
      const place = { row, line: info.lines };
      if (row > MAX_ENTRIES) throw listTooLong(place, MAX_ENTRIES);
      const entry = entryOf(record, places, row);
      if (entry.name === '') throw nameMissing(place);
      piece.push(entry);
      if (piece.length < PIECE) continue;
      yield piece;
      piece = [];
    }
  } catch (error) {
    throw error instanceof CsvError ? inWords(error) : error;
  }
  if (places === undefined) throw headerUnknown([]);
  if (piece.length > 0) yield piece;
}

function entryOf(record: readonly string[], places: Places, row: number): ListedEntry {
  const aliases = (record[places.aliases] ?? '')
    .split(';')
    .map(nameOf)
    .filter((alias) => alias !== '');
  return {
    entry_number: row,
    name: nameOf(record[places.name] ?? ''),
    aliases: JSON.stringify(aliases),
    account_number: digitsOrNull(record[places.accountNumber]),
    bank_code: digitsOrNull(record[places.bankCode]),
  };
}

const nameOf = (text: string) => cleanedText(text).slice(0, MAX_NAME_LENGTH).toWellFormed();

function digitsOrNull(text: string | undefined): string | null {
  const digits = (text ?? '').replaceAll(/\D/g, '');
  return digits === '' ? null : digits;
}

function inWords(error: CsvError & Partial<Info>): Error {
  const line = typeof error.lines === 'number' ? `Line ${error.lines}` : 'The file';
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return fileUnreadable(`${line} opens a quotation mark that nothing closes.`, error);
  }
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return fileUnreadable(`${line} is in a row of more than 64 KB; a quotation mark may be open.`, error);
  }
  return fileUnreadable(`${line} cannot be read as CSV: ${error.message}.`, error);
}
