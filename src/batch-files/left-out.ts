import { readAmount } from '../batches/index.ts';
import { shortened } from '../platform/problem.ts';
import type { SheetRow } from '../platform/spreadsheet/cells.ts';
import { type Field, meaningOf, plainName } from './column-names.ts';
import type { Header } from './header.ts';

/** Why a row is no payment: it is above the header, repeats it, is a sum, a signature or a note, or is empty. */
export type LeftOutReason = 'TITLE' | 'HEADER_REPEATED' | 'TOTAL' | 'SUM' | 'SIGNATURE' | 'NOTE' | 'EMPTY';

/** A row that is not read, with its number and its text. */
export interface LeftOutRow {
  row: number;
  reason: LeftOutReason;
  text: string;
  /** The row has an amount, or a name and a bank: a person should check whether it is a payment. */
  couldBePayment: boolean;
}

/** An answer names so many rows, and counts the others. */
const MAX_NAMED = 100;
const MAX_EMPTY_NAMED = 20;

/** The rows that are left out, as many as an answer names, and how many there are. */
export class LeftOut {
  readonly rows: LeftOutRow[] = [];
  /** How many rows are left out, apart from empty ones. */
  count = 0;
  #empty = 0;

  add(row: SheetRow, reason: LeftOutReason, couldBePayment = false): void {
    this.count += 1;
    if (this.rows.length - this.#empty < MAX_NAMED) {
      this.rows.push({ row: row.row, reason, text: textOf(row), couldBePayment });
    }
  }

  /** Empty rows between two others. */
  addEmpty(after: number, before: number): void {
    for (let row = after + 1; row < before && this.#empty < MAX_EMPTY_NAMED; row += 1) {
      this.#empty += 1;
      this.rows.push({ row, reason: 'EMPTY', text: '', couldBePayment: false });
    }
  }
}

const textOf = ({ cells }: SheetRow): string =>
  shortened(
    cells
      .map((cell) => (cell ?? '').trim())
      .filter((cell) => cell !== '')
      .join(' · '),
  );

/** A total or a signature is named within so many characters at the beginning of a cell. */
const LABEL_CHARACTERS = 60;
const TOTAL =
  /^(?:(?:sub|grand|net|overall|batch|page|final|gross|running|bank)[\s-]*)?totals?\b|^sum\b|\b(?:sub|grand)?[\s-]*total\s*:?$/i;
const SIGNATURE =
  /^(?:prepared|checked|approved|authori[sz]ed|verified|reviewed|signed|certified|audited|initiated|confirmed|compiled|raised|paid|received|endorsed)\s*(?:and\s+\w+\s+)?by\b|^(?:authori[sz]ed\s+)?signator(?:y|ies)\b|^sign(?:ature|ed)?\b\s*(?:$|[:&/_.])|^(?:date|name|designation)\s*[:_]|_{4,}|\.{6,}/i;
const ACCOUNT = /^[='"]*\d[\d\s.-]{4,}["']?$|^\d(?:[.,]\d+)?e\+?\d+$/i;

/**
 * Why a row below the header is left out; undefined for one that is read. Whatever has an account is read, right or wrong;
 * so is an amount beside a name and a bank, and whatever else could be meant as a payment and says nothing of a total.
 */
export function reasonToLeaveOut(
  row: SheetRow,
  columns: ReadonlyMap<Field, number>,
  header: Header,
): Pick<LeftOutRow, 'reason' | 'couldBePayment'> | undefined {
  const cell = (field: Field): string => (row.cells[columns.get(field) ?? -1] ?? '').trim();
  const isBroken = (field: Field) => row.faults?.some(({ column }) => column === columns.get(field)) === true;
  if (repeatsHeader(row, columns, header)) return { reason: 'HEADER_REPEATED', couldBePayment: false };
  if (ACCOUNT.test(cell('accountNumber').slice(0, LABEL_CHARACTERS))) return undefined;
  const texts = row.cells.map((text) => (text ?? '').trim().slice(0, LABEL_CHARACTERS)).filter((text) => text !== '');
  const hasAmount = isAmount(cell('amount')) || isBroken('amount');
  const who = cell('accountName') !== '' || isBroken('accountName');
  const where = cell('bankName') !== '' || cell('bankCode') !== '' || isBroken('bankName') || isBroken('bankCode');
  if (texts.some((text) => TOTAL.test(text))) return { reason: 'TOTAL', couldBePayment: hasAmount && who && where };
  if (!hasAmount && texts.some((text) => SIGNATURE.test(text))) return { reason: 'SIGNATURE', couldBePayment: false };
  if (hasAmount) return who || where ? undefined : { reason: 'SUM', couldBePayment: true };
  // A row with a bank, or with an amount or account that cannot be read, is a payment that has to be corrected.
  const isTyped = cell('amount') !== '' || cell('accountNumber') !== '' || isBroken('accountNumber');
  if (texts.length > 1 && ((who && where) || (isTyped && (who || where)))) return undefined;
  return { reason: 'NOTE', couldBePayment: isTyped && texts.length > 1 };
}

/** Whether a row above the header would be a payment below it: of two lists in one sheet the header with more names is taken. */
export function couldTitleBePayment(row: SheetRow, columns: ReadonlyMap<Field, number>, header: Header): boolean {
  const amount = (row.cells[columns.get('amount') ?? -1] ?? '').trim();
  return isAmount(amount) && reasonToLeaveOut(row, columns, header) === undefined;
}

function isAmount(text: string): boolean {
  const { countedMinor, complaint } = readAmount(text);
  return countedMinor !== 0n || complaint?.code === 'AMOUNT_TOO_PRECISE';
}

/** The fields that decide a payment. In another column they would be another person's, or another sum. */
const DECIDING: ReadonlySet<Field> = new Set(['amount', 'accountNumber', 'bankCode', 'bankName'] as const);
/** Any row may have fewer names than these. */
const MIN_NAMES = 3;

/**
 * Whether a row below the header names the columns anew, as a second table in one sheet does, and has one that decides in
 * another place: what is below it would be read by the first header.
 */
export function namesOtherColumns(row: SheetRow, columns: ReadonlyMap<Field, number>, { labels }: Header): boolean {
  if (ACCOUNT.test((row.cells[columns.get('accountNumber') ?? -1] ?? '').trim().slice(0, LABEL_CHARACTERS)))
    return false;
  const named = [...row.cells.entries()].flatMap(([column, label = '']) => {
    const meaning = label.length > LABEL_CHARACTERS ? undefined : meaningOf(label);
    return meaning === undefined ? [] : [{ column, label, ...meaning }];
  });
  const fields = new Set(named.map(({ field }) => field));
  if (fields.size < MIN_NAMES || !(fields.has('amount') || fields.has('accountNumber'))) return false;
  const isSame = (column: number, label: string) => plainName(label) === plainName(labels[column] ?? '');
  return named.some(
    ({ column, label, field, isSure }) =>
      DECIDING.has(field) && !isSame(column, label) && (columns.get(field) !== column || !isSure),
  );
}

/** As on every page of a printed list. */
function repeatsHeader({ cells }: SheetRow, columns: ReadonlyMap<Field, number>, { labels }: Header): boolean {
  const filled = [...columns.values()].filter((column) => (cells[column] ?? '') !== '');
  const same = (column: number) => plainName(cells[column] ?? '') === plainName(labels[column] ?? '');
  return filled.length > 1 && filled.every((column) => (labels[column] ?? '') !== '' && same(column));
}
