import { decimalText } from '../money/index.ts';
import type { CsvColumns } from '../platform/spreadsheet/write-csv.ts';
import type { DetailedRow, TransactionDetails } from './details.ts';
import { batchReferenceOf, referenceOf } from './transaction.ts';

/** Amounts are in naira with two decimals; what is empty was not given. */
const COLUMNS: CsvColumns<DetailedRow> = {
  createdAt: ['Created At (UTC)', ({ created_at }) => created_at.toISOString()],
  paidAt: ['Paid At (UTC)', ({ paid_at }) => paid_at?.toISOString() ?? ''],
  category: ['Category', ({ category }) => category],
  status: ['Status', ({ status }) => status],
  reason: ['Reason', ({ reason }) => reason ?? ''],
  amount: ['Amount', ({ amount_minor }) => decimalText(amount_minor)],
  charges: ['Charges', ({ charges_minor }) => decimalText(charges_minor)],
  total: ['Total', ({ amount_minor, charges_minor }) => decimalText(amount_minor + charges_minor)],
  currency: ['Currency', ({ currency }) => currency],
  beneficiary: ['Beneficiary', ({ beneficiary_account_name }) => beneficiary_account_name],
  beneficiaryAccount: [
    'Beneficiary Account Number',
    ({ beneficiary_account_number }) => beneficiary_account_number,
    'DIGITS',
  ],
  beneficiaryBank: ['Beneficiary Bank', ({ beneficiary_bank_name }) => beneficiary_bank_name],
  originator: ['Originator', ({ originator_account_name }) => originator_account_name],
  originatorAccount: [
    'Originator Account Number',
    ({ originator_account_number }) => originator_account_number,
    'DIGITS',
  ],
  originatorBank: ['Originator Bank', ({ originator_bank_name }) => originator_bank_name],
  narration: ['Narration', ({ narration }) => narration],
  reference: ['Reference', ({ id, client_reference }) => client_reference ?? referenceOf(id), 'DIGITS'],
  batchReference: ['Batch Reference', ({ batch_id }) => (batch_id === null ? '' : batchReferenceOf(batch_id))],
  transactionId: ['Transaction ID', ({ id }) => id],
};

/** The columns that a file of transactions may have, those of the details behind the others. */
export function transactionColumns({ csvColumns }: TransactionDetails): CsvColumns<DetailedRow> {
  return { ...COLUMNS, ...csvColumns };
}
