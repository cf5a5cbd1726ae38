import { cleanText, type FindBank, readAccount, readAmount, readPhone } from '../batches/index.ts';
import type { ProblemData } from '../platform/problem.ts';

/** Line ends within an amount. 500 above 200 is not 500,200, as it would be in one line. */
const LINE_ENDS = /[\n\v\f\r\u0085\u2028\u2029]+/g;
/** The most warnings of one row. A row that is wrong in every cell has fewer. */
const MAX_WARNINGS = 12;

/**
 * Makes of a row as it was given the one that is kept. Corrected is only what has one meaning, such as a leading zero that a
 * spreadsheet took, and each correction is reported. What is wrong stays wrong, so that the check that follows finds it; where a
 * text is no amount at all, the amount is zero.
 */
export async function takeRow(row: GivenRow, findBank: FindBank): Promise<TakenRow> {
  const complaints = [...(row.complaint === null ? [] : [row.complaint]), ...(row.faults ?? [])];
  // A cell with an error counts as empty, which needs no second error. Moved cells explain every error of the amount.
  const faulty = new Set(row.faults?.map(({ field }) => field));
  if (row.complaint !== null) faulty.add('amount');
  const warnings: ProblemData[] = [];
  const amountText = cleanText(row.amount.trim().replaceAll(LINE_ENDS, ' · '), 'amount', warnings);
  const amount = readAmount(amountText);
  const bank = await findBank(
    cleanText(row.bankCode, 'bankCode', warnings),
    cleanText(row.bankName, 'bankName', warnings),
  );
  for (const { complaint, warning } of [amount, bank]) {
    if (complaint !== undefined && !faulty.has(complaint.field)) complaints.push(complaint);
    if (warning !== undefined) warnings.push(warning);
  }
  const account = readAccount(cleanText(row.accountNumber, 'accountNumber', warnings));
  if (account.complaint !== undefined) complaints.push(account.complaint);
  if (account.warning !== undefined) warnings.push(account.warning);
  // One cell too many may have moved all others, so none of the amounts may be paid.
  const amountMinor = row.complaint === null ? amount.amountMinor : 0n;
  return {
    position: row.position,
    amountMinor,
    countedMinor: amount.countedMinor,
    givenAmount: amountMinor === 0n && amountText !== '0' ? amountText : null,
    bankCode: bank.code,
    accountNumber: account.accountNumber,
    narration: cleanText(row.narration, 'narration', warnings),
    phoneNumber: readPhone(cleanText(row.phoneNumber, 'phoneNumber', warnings), warnings),
    givenName: cleanText(row.givenName, 'accountName', warnings) || null,
    complaints,
    warnings: warnings.slice(0, MAX_WARNINGS),
  };
}

/** One row of a list to be paid as it was given, right or wrong, before it is read. */
export interface GivenRow {
  /** The row of the sheet, with header and empty rows counted. In a JSON list the place of the entry, from 1. */
  position: number;
  amount: string;
  bankCode: string;
  /** A name, or a code in a column that says only "Bank". */
  bankName: string;
  accountNumber: string;
  givenName: string;
  narration: string;
  phoneNumber: string;
  /** The error of the row as a whole, for which none of its cells can be trusted. Null for most. */
  complaint: ProblemData | null;
  /** Errors of cells whose content cannot be used. */
  faults?: readonly ProblemData[];
}

/** One row as it is kept. Whatever can be corrected without guessing is corrected, with a warning. */
export interface TakenRow {
  position: number;
  /** In kobo. Zero where the text is no amount: the item cannot be paid before it is corrected. */
  amountMinor: bigint;
  /** In kobo. The amount that the row adds to the control total. */
  countedMinor: bigint;
  /** The amount's text, where `amountMinor` is zero because of it. */
  givenAmount: string | null;
  bankCode: string;
  accountNumber: string;
  narration: string;
  phoneNumber: string | null;
  givenName: string | null;
  /** Errors that prevent the item from being paid. */
  complaints: ProblemData[];
  /** Corrections, and values that look odd. */
  warnings: ProblemData[];
}
