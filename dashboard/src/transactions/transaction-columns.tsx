import { Link } from '@tanstack/react-router';
import type { RecordOf } from '../api/types.ts';
import { Status } from '../components/status.tsx';
import { Amount, Moment } from '../components/values.tsx';
import type { ChoosableColumn } from '../lists/columns.tsx';
import { Reference } from '../wallet/entries.tsx';

export type Transaction = RecordOf<'/transaction'>;

export const transactionKey = ({ transactionId }: Transaction): string => transactionId;

/** Whom the money went to or came from: what people recognise a transaction by. */
export function otherSide(transaction: Transaction): string {
  const { category } = transaction;
  const inwards = category === 'STORE_TO_MERCHANT' || category === 'SUBACCOUNT_TO_MERCHANT';
  return inwards ? transaction.originatorAccountName : transaction.beneficiaryAccountName;
}

/** Play money is always narrated as what it is. */
function subtitleOf({ category, narration }: Transaction): string {
  return category === 'WALLET_FUNDING' ? categoryWord(category) : `${categoryWord(category)} · ${narration}`;
}

function What({ transaction }: { transaction: Transaction }) {
  return (
    <>
      <Link
        to="/transactions/$transactionId"
        params={{ transactionId: transaction.transactionId }}
        search={{}}
        className="font-medium text-accent hover:underline"
      >
        {otherSide(transaction)}
      </Link>
      <span className="block max-w-md text-xs text-muted">{subtitleOf(transaction)}</span>
      <Moment at={transaction.createdAt} className="text-xs text-muted md:hidden" />
    </>
  );
}

/** What the list of transactions shows unless others are chosen. */
export const TRANSACTION_COLUMNS: readonly ChoosableColumn<Transaction>[] = [
  {
    key: 'what',
    label: 'To or from',
    csv: ['category', 'beneficiary', 'beneficiaryAccount', 'originator', 'originatorAccount', 'narration'],
    header: 'To or from',
    cell: (transaction) => <What transaction={transaction} />,
  },
  {
    key: 'when',
    label: 'When',
    csv: ['createdAt'],
    header: 'When',
    wideOnly: true,
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    key: 'reference',
    label: 'Reference',
    csv: ['reference', 'transactionId'],
    header: 'Reference',
    wideOnly: 'xl',
    cell: ({ reference }) => <Reference reference={reference} />,
  },
  {
    key: 'status',
    label: 'Status',
    csv: ['status', 'reason'],
    header: 'Status',
    wideOnly: true,
    cell: (transaction) => <TransactionStatus transaction={transaction} />,
  },
  {
    key: 'amount',
    label: 'Amount',
    csv: ['amount'],
    header: 'Amount',
    align: 'right',
    cell: (transaction) => (
      <>
        <Amount value={transaction.amount} {...signOf(transaction)} />
        <span className="mt-1 block md:hidden">
          <TransactionStatus transaction={transaction} />
        </span>
      </>
    ),
  },
];

/** A transfer between own wallets is done, not paid. */
export function TransactionStatus({
  transaction,
}: {
  transaction: Pick<Transaction, 'status' | 'reason' | 'category'>;
}) {
  const done = transaction.status === 'SUCCESS' && transaction.category !== 'PAYOUT';
  return <Status status={transaction.status} reason={transaction.reason} {...(done ? { word: 'Done' } : {})} />;
}

/** Money that did not move has no sign. */
function signOf(transaction: Transaction): { direction?: 'in' | 'out' } {
  const direction = directionOf(transaction);
  return transaction.status === 'SUCCESS' && direction !== undefined ? { direction } : {};
}

/** What kind of transaction it is, in a merchant's words. */
const CATEGORIES = {
  PAYOUT: 'Payout',
  STORE_TO_MERCHANT: 'From a store',
  SUBACCOUNT: 'To a subaccount',
  SUBACCOUNT_TO_MERCHANT: 'From a subaccount',
  WALLET_FUNDING: 'Test money',
  COLLECTION: 'Money received',
  MANUAL_CREDIT: 'Added by the operator',
  REFUND: 'Refund',
  DISPUTE: 'Disputed payment',
  RECEIVABLE_REPAYMENT: 'Owed after a dispute',
  RESERVE_RELEASE: 'Back from the reserve',
} as const;

export type Category = keyof typeof CATEGORIES;

export const isCategory = (text: string | undefined): text is Category => text !== undefined && text in CATEGORIES;

export const categoryWord = (category: Category): string => CATEGORIES[category];

export const CATEGORY_OPTIONS = Object.entries(CATEGORIES).map(([value, label]) => ({ value, label }));

/** Whether money came into the main wallet or left it; what the sandbox puts into a store does neither. */
function directionOf(transaction: {
  category: string;
  walletId: string;
  toWalletId: string | null;
}): 'in' | 'out' | undefined {
  switch (transaction.category) {
    case 'STORE_TO_MERCHANT':
    case 'SUBACCOUNT_TO_MERCHANT':
    case 'WALLET_FUNDING':
    case 'COLLECTION':
    case 'MANUAL_CREDIT':
    case 'RESERVE_RELEASE':
      return 'in';
    case 'SUBACCOUNT':
    case 'PAYOUT':
    case 'REFUND':
    case 'DISPUTE':
    case 'RECEIVABLE_REPAYMENT':
      return 'out';
    default:
      return undefined;
  }
}
