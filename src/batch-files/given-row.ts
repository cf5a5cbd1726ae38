import type { ProblemData } from '../platform/problem.ts';

/** One row of a list to be paid, in the words in which it was given: right or wrong, and nothing made of it yet. */
export interface GivenRow {
  /** Row of the sheet, header and empty rows counted; in a JSON list the place of the entry, from 1. */
  position: number;
  amount: string;
  bankCode: string;
  /** A name, or a code in a column that says only "Bank". */
  bankName: string;
  accountNumber: string;
  givenName: string;
  narration: string;
  phoneNumber: string;
  /** What is wrong with the row as a whole, so that none of its cells can be trusted; null for most. */
  complaint: ProblemData | null;
  /** Of cells that say nothing that can be used. */
  faults?: readonly ProblemData[];
}

/** One row as it is kept: what can be corrected without guessing is corrected, and said so. */
export interface TakenRow {
  position: number;
  /** In kobo. Zero where the text is no amount, so that the item cannot be paid before it is corrected. */
  amountMinor: bigint;
  /** In kobo: what the row adds to the control total. */
  countedMinor: bigint;
  /** The amount's text, where `amountMinor` is zero because of it. */
  givenAmount: string | null;
  bankCode: string;
  accountNumber: string;
  narration: string;
  phoneNumber: string | null;
  givenName: string | null;
  /** What keeps the item from being paid. */
  complaints: ProblemData[];
  /** What was corrected or looks odd. */
  warnings: ProblemData[];
}
