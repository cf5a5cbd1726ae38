import type { Bank } from './queries.ts';

/**
 * Nigerian account numbers (NUBAN): nine digits of serial and a check digit that also depends on the bank.
 * Source: CBN, revised standards on NUBAN, in force since 2020. The digit says little: a wrong bank fits one time in
 * ten, and wallets numbered after a phone need not fit at all. So it warns; only a name enquiry decides.
 */
const WEIGHTS = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];

const ACCOUNT_NUMBER = /^\d{10}$/;
const SERIAL = /^\d{9}$/;

/** `UNKNOWN`: nothing can be said, because the number has not ten digits or the bank's own code is not known. */
export type CheckDigit = 'MATCH' | 'MISMATCH' | 'UNKNOWN';

/**
 * The check digit of a nine-digit serial at a bank: '0' to '9'. Codes have 3 digits (banks), 5 (other institutions)
 * or 6; the network's `nipCode` is another code and gives another digit.
 * @returns undefined when the code or the serial has another form.
 */
export function nubanCheckDigit(bankCode: string, serial: string): string | undefined {
  const institution = sixDigits(bankCode);
  if (institution === undefined || !SERIAL.test(serial)) return undefined;
  const digits = `${institution}${serial}`;
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
  return String((10 - (sum % 10)) % 10);
}

function sixDigits(bankCode: string): string | undefined {
  if (/^\d{3}$/.test(bankCode)) return `000${bankCode}`;
  if (/^\d{5}$/.test(bankCode)) return `9${bankCode}`;
  return /^\d{6}$/.test(bankCode) ? bankCode : undefined;
}

/** False when the check digit speaks against the pair or the number has not ten digits. Never a reason to refuse. */
export function isPlausibleNuban(bankCode: string, accountNumber: string): boolean {
  if (!ACCOUNT_NUMBER.test(accountNumber)) return false;
  const expected = nubanCheckDigit(bankCode, accountNumber.slice(0, 9));
  return expected === undefined || expected === accountNumber[9];
}

export function checkNuban(bank: Bank, accountNumber: string): CheckDigit {
  // A bank that we know by its network code only: its digit cannot be computed.
  if (bank.code === bank.nipCode || !ACCOUNT_NUMBER.test(accountNumber)) return 'UNKNOWN';
  return isPlausibleNuban(bank.code, accountNumber) ? 'MATCH' : 'MISMATCH';
}

/** A sentence for the sender when the check digit does not fit the bank; undefined when there is nothing to say. */
export function nubanWarning(bank: Bank, accountNumber: string): string | undefined {
  if (checkNuban(bank, accountNumber) !== 'MISMATCH') return undefined;
  return `Account number ${accountNumber} does not look like one of ${bank.name}. Please check it; the name enquiry decides.`;
}
