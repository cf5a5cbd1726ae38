import { Amount, Moment } from '../components/values.tsx';
import type { ChoosableColumn } from '../lists/columns.tsx';
import { TRANSACTION_COLUMNS, type Transaction } from './transaction-columns.tsx';

const MORE_COLUMNS: readonly ChoosableColumn<Transaction>[] = [
  {
    key: 'charges',
    label: 'Charges',
    csv: ['charges'],
    header: 'Charges',
    align: 'right',
    isExtra: true,
    wideOnly: true,
    cell: ({ charges, currency }) => <Amount value={charges} currency={currency} />,
  },
  {
    key: 'bank',
    label: 'Bank',
    csv: ['beneficiaryBank'],
    header: 'Bank',
    isExtra: true,
    wideOnly: true,
    cell: ({ beneficiaryBankName }) => beneficiaryBankName,
  },
  {
    key: 'account',
    label: 'Account number',
    csv: ['beneficiaryAccount'],
    header: 'Account number',
    isExtra: true,
    wideOnly: true,
    cell: ({ beneficiaryAccountNumber }) => <span className="figures">{beneficiaryAccountNumber}</span>,
  },
  {
    key: 'paid',
    label: 'Paid',
    csv: ['paidAt'],
    header: 'Paid',
    isExtra: true,
    wideOnly: true,
    cell: ({ paidAt }) => <Moment at={paidAt} />,
  },
];

/** All that the list of transactions can show, the usual ones first. */
export const ALL_TRANSACTION_COLUMNS = [...TRANSACTION_COLUMNS, ...MORE_COLUMNS];
