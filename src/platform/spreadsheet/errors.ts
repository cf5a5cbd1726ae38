import { AppError } from '../errors.ts';
import {
  MAX_CELL_CHARACTERS,
  MAX_COLUMNS,
  MAX_INFLATED_BYTES,
  MAX_LINE_BYTES,
  MAX_READ_MS,
  MAX_SHEET_ROWS,
} from './limits.ts';

/** What is wrong with a file, for the person who made it. Nothing of the file was kept. */

export const fileEmpty = () => new AppError('invalid', 'FILE_EMPTY', 'The file is empty.');

export const fileTooLarge = (maxBytes: number) =>
  new AppError('invalid', 'FILE_TOO_LARGE', `The file is larger than ${maxBytes / 1024 / 1024} MB.`);

export const fileKindUnsupported = (what: string) =>
  new AppError('invalid', 'FILE_KIND_UNSUPPORTED', `${what} Save the list as CSV or as an Excel workbook (.xlsx).`);

export const fileDamaged = (what: string) => new AppError('invalid', 'FILE_DAMAGED', what);

export const fileEncodingUnknown = (what: string) =>
  new AppError('invalid', 'FILE_ENCODING_UNKNOWN', `${what} Save the file as "CSV UTF-8".`);

export const formulaRefused = (cell: string) =>
  new AppError(
    'invalid',
    'FILE_CELL_REFUSED',
    `Cell ${cell} holds a formula, and what it comes to depends on who opens the file. Paste its value instead.`,
  );

export const errorCellRefused = (cell: string, text: string) =>
  new AppError('invalid', 'FILE_CELL_REFUSED', `Cell ${cell} shows the error ${text}. Correct it in the file.`);

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
