import { Link } from '@tanstack/react-router';
import { HandCoins } from 'lucide-react';
import { atPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { Input, RecordOf } from '../api/types.ts';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { channelWord } from '../format/channels.ts';
import { modeWord } from '../format/modes.ts';
import { DirectoryPage, type DirectorySearchProps, directoryQuery, MerchantCell } from './directory-page.tsx';
import { LOOK_EVERY_MS } from './search-parts.tsx';

type Payment = RecordOf<'/operator/inbound-payment'>;
type Query = NonNullable<Input<'get', '/operator/inbound-payment'>['query']>;

const SIZE = 50;
const STATUSES = ['CREDITED', 'PENDING_SETTLEMENT', 'SUSPENSE', 'RETURNED', 'KEPT'] as const;

const COLUMNS: readonly Column<Payment>[] = [
  {
    key: 'payer',
    header: 'From',
    cell: ({ paymentId, payer, rail, businessName, merchantId, status, reason }) => (
      <div className="min-w-28">
        <Link
          to="/operator/payments-in/$paymentId"
          params={{ paymentId }}
          className="font-medium break-words text-accent underline"
        >
          {payer.name ?? 'Payer not named'}
        </Link>
        <p className="text-xs text-muted">{payer.bankName ?? rail}</p>
        <p className="text-xs break-words text-muted md:hidden">To {businessName ?? merchantId}</p>
        <p className="mt-1 md:hidden">
          <Status status={status} reason={reason} />
        </p>
      </div>
    ),
  },
  {
    key: 'merchant',
    header: 'To',
    wideOnly: true,
    cell: ({ merchantId, businessName, mode, accountNumber }) => (
      <MerchantCell name={businessName ?? merchantId}>
        {accountNumber}, {modeWord(mode)}
      </MerchantCell>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  { key: 'channel', header: 'Paid by', wideOnly: 'xl', cell: ({ channel }) => channelWord(channel) },
  { key: 'fee', header: 'Fee', align: 'right', wideOnly: 'xl', cell: ({ fee }) => <Amount value={fee} /> },
  {
    key: 'status',
    header: 'Status',
    wideOnly: true,
    cell: ({ status, reason }) => <Status status={status} reason={reason} />,
  },
  { key: 'confirmed', header: 'Confirmed', wideOnly: true, cell: ({ confirmedAt }) => <Moment at={confirmedAt} /> },
];

/** Payments in of all merchants, newest first. */
export function OperatorPaymentsPage({ search, onSearch }: DirectorySearchProps) {
  const query = directoryQuery(search, 'paymentId');
  const list = useList(
    '/operator/inbound-payment',
    { query: { ...(query as Query), ...atPlace(search.page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  return (
    <DirectoryPage
      title="Payments in"
      about="Of all merchants, newest first."
      search={search}
      onSearch={onSearch}
      placeholder="Id, session id, account or amount"
      statuses={STATUSES}
      query={query}
      lookedBackTo={list.data?.lookedBackTo}
      columns={COLUMNS}
      rowKey={({ paymentId }) => paymentId}
      list={list}
      empty={
        <EmptyState icon={HandCoins} title="Nobody has paid in yet">
          Payments to all merchants are listed here once a provider confirmed them.
        </EmptyState>
      }
    />
  );
}
