import { Link } from '@tanstack/react-router';
import { HandCoins } from 'lucide-react';
import { atPlace, filtersOf, type ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { Input, RecordOf } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { SearchFilter, SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { MerchantFilter } from '../components/merchant-picker.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status, showStatus } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { PeriodFilter } from '../wallet/period-filter.tsx';
import { LOOK_EVERY_MS, LookedBack, whatIsTyped } from './search-parts.tsx';

type Payment = RecordOf<'/operator/inbound-payment'>;
type Query = NonNullable<Input<'get', '/operator/inbound-payment'>['query']>;
export type PaymentSearch = ListSearch<'search' | 'merchantId' | 'only' | 'status' | 'from' | 'to'>;

const SIZE = 50;
const STATUSES = ['CREDITED', 'PENDING_SETTLEMENT', 'SUSPENSE', 'RETURNED', 'KEPT'] as const;
const MODES = [
  { value: 'LIVE', label: 'Live' },
  { value: 'SANDBOX', label: 'Sandbox' },
] as const;
const NO_FILTERS: Partial<Record<keyof PaymentSearch, undefined>> = {
  search: undefined,
  merchantId: undefined,
  only: undefined,
  status: undefined,
  from: undefined,
  to: undefined,
};

const COLUMNS: readonly Column<Payment>[] = [
  {
    key: 'payer',
    header: 'From',
    cell: ({ paymentId, payer, rail, businessName, merchantId }) => (
      <div className="min-w-28">
        <Link
          to="/operator/payments-in/$paymentId"
          params={{ paymentId }}
          className="font-medium break-words text-accent underline"
        >
          {payer.name ?? 'Payer not named'}
        </Link>
        <p className="text-xs text-muted">{payer.bankName ?? rail}</p>
        <p className="text-xs break-words text-muted sm:hidden">To {businessName ?? merchantId}</p>
      </div>
    ),
  },
  {
    key: 'merchant',
    header: 'To',
    wideOnly: true,
    cell: ({ merchantId, businessName, mode, accountNumber }) => (
      <div className="min-w-24">
        <p className="break-words">{businessName ?? merchantId}</p>
        <p className="text-xs text-muted">
          {accountNumber}, {mode === 'LIVE' ? 'live' : 'sandbox'}
        </p>
      </div>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  { key: 'fee', header: 'Fee', align: 'right', wideOnly: 'xl', cell: ({ fee }) => <Amount value={fee} /> },
  { key: 'status', header: 'Status', cell: ({ status, reason }) => <Status status={status} reason={reason} /> },
  { key: 'confirmed', header: 'Confirmed', wideOnly: true, cell: ({ confirmedAt }) => <Moment at={confirmedAt} /> },
];

export interface PaymentsPageProps {
  search: PaymentSearch;
  onSearch: (change: { [K in keyof PaymentSearch]?: PaymentSearch[K] | undefined }) => void;
}

/** Payments in of all merchants, newest first. */
export function OperatorPaymentsPage({ search, onSearch }: PaymentsPageProps) {
  const filters = filtersOf(search, 'merchantId', 'status', 'from', 'to');
  const ofMode = search.only === undefined ? {} : { mode: search.only };
  const query = { ...filters, ...ofMode, ...whatIsTyped(search.search, 'paymentId') } as Query;
  const list = useList(
    '/operator/inbound-payment',
    { query: { ...query, ...atPlace(search.page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const onFilter: PaymentsPageProps['onSearch'] = (change) => onSearch({ ...change, page: undefined });
  const isFiltered = Object.keys(query).length > 0;
  return (
    <ListPage
      title="Payments in"
      about="Of all merchants, newest first."
      filters={<PaymentFilters search={search} onFilter={onFilter} isFiltered={isFiltered} />}
      note={<LookedBack to={list.data?.lookedBackTo ?? null} onFurther={(to) => onFilter({ to })} />}
      isFiltered={isFiltered}
      columns={COLUMNS}
      rowKey={({ paymentId }) => paymentId}
      list={list}
      onPage={(page) => onSearch({ page })}
      empty={
        <EmptyState icon={HandCoins} title="Nobody has paid in yet">
          Payments to all merchants are listed here once a provider confirmed them.
        </EmptyState>
      }
    />
  );
}

interface Filtering {
  search: PaymentSearch;
  onFilter: PaymentsPageProps['onSearch'];
  isFiltered: boolean;
}

function PaymentFilters({ search, onFilter, isFiltered }: Filtering) {
  return (
    <>
      <SearchFilter
        label="Search"
        placeholder="Id, session id, account or amount"
        value={search.search}
        onChange={(text) => onFilter({ search: text })}
      />
      <MerchantFilter value={search.merchantId} onChange={(merchantId) => onFilter({ merchantId })} />
      <div className="flex gap-3 *:min-w-0 *:flex-1">
        <SelectFilter
          label="Status"
          all="All statuses"
          options={STATUSES.map((value) => ({ value, label: showStatus(value).word }))}
          value={search.status}
          onChange={(status) => onFilter({ status })}
        />
        <SelectFilter
          label="Mode"
          all="Both"
          options={MODES}
          value={search.only}
          onChange={(only) => onFilter({ only })}
        />
      </div>
      <PeriodFilter period={search} all="Any time" onChange={({ from, to }) => onFilter({ from, to })} />
      {isFiltered && (
        <Button look="quiet" onClick={() => onFilter(NO_FILTERS)}>
          Clear the filters
        </Button>
      )}
    </>
  );
}
