import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { atPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { Input, RecordOf } from '../api/types.ts';
import { EmptyState } from '../components/states.tsx';
import { Badge, Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { TRANSACTION_STATUSES } from '../lists/transaction-statuses.ts';
import { RailsFilter } from '../operator/rails-filter.tsx';
import { DirectoryPage, type DirectorySearchProps, directoryQuery, MerchantCell } from './directory-page.tsx';
import { LOOK_EVERY_MS } from './search-parts.tsx';

type Payout = RecordOf<'/operator/payout'>;
type Query = NonNullable<Input<'get', '/operator/payout'>['query']>;

const SIZE = 50;
const STATUSES = ['UNKNOWN', ...TRANSACTION_STATUSES] as const;

const outcome = ({ status, reason, isUnknown }: Pick<Payout, 'status' | 'reason' | 'isUnknown'>) =>
  isUnknown ? <Badge tone="warn">Unknown</Badge> : <Status status={status} reason={reason} />;

const COLUMNS: readonly Column<Payout>[] = [
  {
    key: 'payee',
    header: 'To',
    cell: ({ payoutId, payee, businessName, merchantId, status, reason, isUnknown }) => (
      <div className="min-w-28">
        <Link
          to="/operator/payouts/$reference"
          params={{ reference: payoutId }}
          className="font-medium break-words text-accent underline"
        >
          {payee.accountName}
        </Link>
        <p className="text-xs text-muted">
          {payee.accountNumber}, {payee.bankName}
        </p>
        <p className="text-xs break-words text-muted md:hidden">From {businessName ?? merchantId}</p>
        <p className="mt-1 md:hidden">{outcome({ status, reason, isUnknown })}</p>
      </div>
    ),
  },
  {
    key: 'merchant',
    header: 'From',
    wideOnly: true,
    cell: ({ merchantId, businessName, mode }) => (
      <MerchantCell name={businessName ?? merchantId}>{mode === 'LIVE' ? 'Live' : 'Sandbox'}</MerchantCell>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  {
    key: 'status',
    header: 'Status',
    wideOnly: true,
    cell: (payout) => outcome(payout),
  },
  { key: 'rail', header: 'Rail', wideOnly: true, cell: ({ rail }) => rail },
  { key: 'created', header: 'Accepted', wideOnly: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** Payouts of all merchants, newest first. */
export function OperatorPayoutsPage({ search, onSearch }: DirectorySearchProps) {
  const query = directoryQuery(search, 'reference');
  const list = useList(
    '/operator/payout',
    { query: { ...(query as Query), ...atPlace(search.page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  return (
    <DirectoryPage
      title="Payouts"
      about="Of all merchants, newest first. What happened in the last seconds may be missing."
      search={search}
      onSearch={onSearch}
      placeholder="Reference, session id, account or amount"
      statuses={STATUSES}
      query={query}
      lookedBackTo={list.data?.lookedBackTo}
      columns={COLUMNS}
      rowKey={({ payoutId }) => payoutId}
      list={list}
      empty={
        <EmptyState icon={Send} title="Nobody has paid out yet">
          Payouts of all merchants are listed here once there are some.
        </EmptyState>
      }
    >
      {(onFilter) => <RailsFilter rail={search.rail} onChange={(rail) => onFilter({ rail })} />}
    </DirectoryPage>
  );
}
