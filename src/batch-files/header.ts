import { type ProblemData, shortened } from '../platform/problem.ts';
import { columnName } from '../platform/spreadsheet/cells.ts';
import { headerIncomplete, headerTwice } from './errors.ts';
import { listProblem } from './problems.ts';

export type Field = 'amount' | 'accountNumber' | 'bankCode' | 'bankName' | 'givenName' | 'narration' | 'phoneNumber';

/** Names that people give to columns; capitals, spaces and punctuation do not count. */
const SPELLINGS: Readonly<Record<Field, readonly string[]>> = {
  amount: [
    'amount',
    'amt',
    'amount ngn',
    'amount naira',
    'amount in naira',
    'naira',
    'ngn',
    'value',
    'sum',
    'pay',
    'net pay',
    'net amount',
    'net salary',
    'payment amount',
    'transfer amount',
    'transaction amount',
    'payout amount',
    'amount to pay',
    'credit amount',
  ],
  accountNumber: [
    'account number',
    'account no',
    'account num',
    'account',
    'account nr',
    'acct number',
    'acct no',
    'acct num',
    'acct',
    'acc number',
    'acc no',
    'ac number',
    'ac no',
    'nuban',
    'nuban number',
    'nuban no',
    'beneficiary account',
    'beneficiary account number',
    'beneficiary account no',
    'beneficiary acct no',
    'beneficiary nuban',
    'bank account',
    'bank account number',
    'bank account no',
    'credit account',
    'credit account number',
    'recipient account',
    'recipient account number',
    'destination account',
    'destination account number',
    'receiver account number',
    'payee account number',
    'to account',
    'employee account number',
  ],
  bankCode: [
    'bank code',
    'sort code',
    'bank sort code',
    'cbn code',
    'cbn bank code',
    'nip code',
    'nibss code',
    'institution code',
    'beneficiary bank code',
    'recipient bank code',
    'destination bank code',
    'receiver bank code',
    'payee bank code',
  ],
  bankName: [
    'bank',
    'bank name',
    'name of bank',
    'beneficiary bank',
    'beneficiary bank name',
    'recipient bank',
    'recipient bank name',
    'destination bank',
    'destination bank name',
    'receiver bank',
    'receiver bank name',
    'payee bank',
    'payee bank name',
    'institution',
    'institution name',
  ],
  givenName: [
    'account name',
    'acct name',
    'acc name',
    'ac name',
    'name of account',
    'name',
    'names',
    'full name',
    'fullname',
    'beneficiary',
    'beneficiary name',
    'beneficiary account name',
    'name of beneficiary',
    'recipient',
    'recipient name',
    'receiver',
    'receiver name',
    'payee',
    'payee name',
    'employee',
    'employee name',
    'staff name',
    'name of staff',
    'vendor',
    'vendor name',
    'customer name',
    'account holder',
    'account holder name',
    'account title',
  ],
  narration: [
    'narration',
    'narrative',
    'remark',
    'remarks',
    'description',
    'payment description',
    'transaction description',
    'reference',
    'payment reference',
    'purpose',
    'purpose of payment',
    'payment purpose',
    'payment details',
    'details',
    'memo',
    'note',
    'notes',
    'comment',
    'transfer note',
    'reason for payment',
    'payment narration',
  ],
  phoneNumber: [
    'phone',
    'phone number',
    'phone no',
    'phone num',
    'mobile',
    'mobile number',
    'mobile no',
    'mobile phone',
    'gsm',
    'gsm number',
    'gsm no',
    'tel',
    'telephone',
    'telephone number',
    'contact number',
    'beneficiary phone',
    'beneficiary phone number',
    'recipient phone',
    'customer phone',
  ],
};

const FIELDS = new Map(
  (Object.entries(SPELLINGS) as [Field, readonly string[]][]).flatMap(([field, names]) =>
    names.map((name) => [plainName(name), field] as const),
  ),
);

/** What the columns are called in messages and in the files that this service writes. */
export const FIELD_NAMES: Readonly<Record<Field, string>> = {
  amount: 'Amount',
  accountNumber: 'Account Number',
  bankCode: 'Bank Code',
  bankName: 'Bank Name',
  givenName: 'Account Name',
  narration: 'Narration',
  phoneNumber: 'Phone Number',
};

export interface Header {
  /** Where each field stands, from 0. */
  columns: ReadonlyMap<Field, number>;
  /** Cells that a row may have. */
  width: number;
  /** About columns that are not used. */
  warnings: ProblemData[];
}

/**
 * Which column is what. Amount, account number, bank and narration have to be there, under any of the names that people
 * use; columns of other names are passed over, and said so.
 *
 * @throws AppError `FILE_HEADER_WRONG` with the columns that were found and those that are needed.
 */
export function recogniseHeader(cells: readonly string[]): Header {
  const columns = new Map<Field, number>();
  const unused: string[] = [];
  for (const [column, cell] of cells.entries()) {
    const field = FIELDS.get(plainName(cell));
    const before = field === undefined ? undefined : columns.get(field);
    if (field !== undefined && before !== undefined) {
      const both = [before, column].map((at) => `"${shortened(cells[at] ?? '')}" (column ${columnName(at)})`);
      throw headerTwice(FIELD_NAMES[field], both);
    }
    if (field !== undefined) columns.set(field, column);
    else if (cell.trim() !== '') unused.push(shortened(cell.trim()));
  }
  const missing = (['amount', 'accountNumber', 'narration'] as const).filter((field) => !columns.has(field));
  const missingNames = missing.map((field) => FIELD_NAMES[field]);
  if (!columns.has('bankCode') && !columns.has('bankName')) missingNames.push('Bank Code or Bank Name');
  if (missingNames.length > 0)
    throw headerIncomplete(
      missingNames,
      cells.map((cell) => `"${shortened(cell.trim())}"`),
    );
  const warnings = unused.length === 0 ? [] : [listProblem('COLUMNS_NOT_USED', { names: unused })];
  return { columns, width: cells.length, warnings };
}

/** Letters and digits in lower case; the naira sign and whatever stands in brackets around it say nothing. */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('₦', '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
