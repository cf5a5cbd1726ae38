import { cleanText } from './clean-text.ts';
import type { createBankFinder } from './find-bank.ts';
import type { GivenRow, TakenRow } from './given-row.ts';
import { quoted, readAmount } from './read-amount.ts';

/** No account or phone number is longer, however it is written. */
const MAX_NUMBER = 40;
/** As many sentences as one row may have: a row that is wrong in every cell has fewer. */
const MAX_WARNINGS = 12;

/**
 * Makes of a row as it was given the one that is kept. Corrected is only what has one meaning, such as a leading zero that a
 * spreadsheet took, and each correcting is told. What is wrong stays wrong, so that the check that follows finds it; where a
 * text is no amount at all, the amount is zero.
 */
export async function takeRow(
  row: GivenRow,
  findBank: Awaited<ReturnType<typeof createBankFinder>>,
): Promise<TakenRow> {
  const complaints = row.complaint === '' ? [] : [row.complaint];
  const warnings: string[] = [];
  const amountText = cleanText(row.amount, 'amount', warnings);
  const amount = readAmount(amountText);
  const bank = await findBank(
    cleanText(row.bankCode, 'bank code', warnings),
    cleanText(row.bankName, 'bank', warnings),
  );
  for (const { complaint, warning } of [amount, bank]) {
    if (complaint !== undefined) complaints.push(complaint);
    if (warning !== undefined) warnings.push(warning);
  }
  const account = readAccount(cleanText(row.accountNumber, 'account number', warnings));
  if (account.complaint !== undefined) complaints.push(account.complaint);
  if (account.warning !== undefined) warnings.push(account.warning);
  // A cell too many may have moved every other: none of them may be paid on.
  const amountMinor = row.complaint === '' ? amount.amountMinor : 0n;
  return {
    position: row.position,
    amountMinor,
    countedMinor: amount.countedMinor,
    givenAmount: amountMinor === 0n && amountText !== '0' ? amountText : null,
    bankCode: bank.code,
    accountNumber: account.accountNumber,
    narration: cleanText(row.narration, 'narration', warnings),
    phoneNumber: readPhone(cleanText(row.phoneNumber, 'phone number', warnings), warnings),
    givenName: cleanText(row.givenName, 'name', warnings) || null,
    warnings: [...complaints, ...warnings].slice(0, MAX_WARNINGS),
  };
}

function readAccount(text: string): { accountNumber: string; complaint?: string; warning?: string } {
  if (/^\d{10}$/.test(text) || text.length > MAX_NUMBER) return { accountNumber: text };
  if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(text)) {
    const complaint = `The account number ${quoted(text)} was cut short by a spreadsheet. Type it again, as text.`;
    return { accountNumber: text, complaint };
  }
  const digits = text.replaceAll(/[ -]/g, '').replace(/\.0+$/, '');
  if (!/^\d+$/.test(digits)) return { accountNumber: text };
  if (digits.length === 9) {
    const accountNumber = `0${digits}`;
    const warning = `The account number ${quoted(text)} was read as ${accountNumber}: its leading zero was missing.`;
    return { accountNumber, warning };
  }
  if (digits === text) return { accountNumber: text };
  return { accountNumber: digits, warning: `The account number ${quoted(text)} was read as ${digits}.` };
}

/** Null for none. Ten digits from 7, 8 or 9 are a mobile number without its zero. */
function readPhone(text: string, warnings: string[]): string | null {
  if (text === '') return null;
  if (text.length > MAX_NUMBER) return text;
  const digits = text.replaceAll(/[ ().-]/g, '').replace(/\.0+$/, '');
  if (/^[789]\d{9}$/.test(digits)) {
    warnings.push(`The phone number ${quoted(text)} was read as 0${digits}: its leading zero was missing.`);
    return `0${digits}`;
  }
  return /^\+?\d+$/.test(digits) ? digits : text;
}
