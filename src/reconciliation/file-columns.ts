/**
 * The names that rails, and people who make such files by hand, give the columns. They are those of the fields in the
 * public documentation of Paystack (`transferred_at`), Flutterwave (`complete_message` is ignored, `created_at` is not)
 * and Monnify (`createdOn`, `sessionId`), and of bank statements. Only letters and digits count, in any case.
 *
 * Where a file has several columns for one field, the first in this list is taken: a rail's own reference comes after
 * ours, and when a transfer was made comes after when it ended.
 */
const SPELLINGS = {
  reference: [
    'reference',
    'merchantreference',
    'paymentreference',
    'transferreference',
    'clientreference',
    'externalreference',
    'ourreference',
    'transactionreference',
    'ref',
  ],
  sessionId: ['sessionid', 'nipsessionid', 'nibsssessionid', 'session', 'sessionnumber'],
  amountKobo: ['amountkobo', 'amountinkobo', 'amountminor', 'amountinminorunits'],
  amountNaira: ['amountngn', 'amountnaira', 'amountinnaira', 'amount', 'transferamount', 'amountpaid', 'value'],
  debit: ['debit', 'debitamount', 'debitngn', 'withdrawal', 'withdrawals', 'moneyout'],
  credit: ['credit', 'creditamount', 'creditngn', 'deposit', 'deposits', 'moneyin'],
  currency: ['currency', 'currencycode'],
  // Whom it went to; a statement's own account is named above its header.
  accountNumber: [
    'beneficiaryaccountnumber',
    'beneficiaryaccount',
    'destinationaccountnumber',
    'destinationaccount',
    'recipientaccountnumber',
    'recipientaccount',
    'accountnumber',
    'nuban',
  ],
  bankCode: ['beneficiarybankcode', 'destinationbankcode', 'recipientbankcode', 'bankcode'],
  date: [
    'completedat',
    'datecompleted',
    'completedon',
    'transferredat',
    'paidat',
    'paymentdate',
    'settlementdate',
    'transactiondate',
    'transferdate',
    'valuedate',
    'date',
    'datetime',
    'createdat',
    'createdon',
    'datecreated',
    'dateinitiated',
  ],
  status: ['status', 'transactionstatus', 'transferstatus', 'paymentstatus'],
  direction: ['type', 'transactiontype', 'direction', 'drcr', 'debitcredit'],
} as const;

export type Column = keyof typeof SPELLINGS;
export type ColumnPlaces = Partial<Record<Column, number>>;

/** What a header has to name before anything can be compared, in words. */
export const NEEDED = [
  'a reference or a session id',
  'an amount (or debit and credit)',
  'a date',
  'a status (or debit and credit)',
] as const;

const spelled = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Where each column stands, or undefined where this row is no header: then it is one of the lines above it. */
export function readHeader(cells: readonly string[]): ColumnPlaces | undefined {
  const names = cells.map(spelled);
  const places: ColumnPlaces = {};
  for (const [column, spellings] of Object.entries(SPELLINGS) as [Column, readonly string[]][]) {
    const found = spellings.find((spelling) => names.includes(spelling));
    if (found !== undefined) places[column] = names.indexOf(found);
  }
  const has = (...columns: Column[]) => columns.some((column) => places[column] !== undefined);
  const complete =
    has('reference', 'sessionId') &&
    has('amountKobo', 'amountNaira', 'debit', 'credit') &&
    has('date') &&
    has('status', 'direction', 'debit', 'credit');
  return complete ? places : undefined;
}
