import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { atPlace, filtersOf, type ListSearch } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import type { Input, RecordOf } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { SearchFilter, SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { MerchantFilter } from '../components/merchant-picker.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge, Status, showStatus } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { PeriodFilter } from '../wallet/period-filter.tsx';
import { LOOK_EVERY_MS, LookedBack, whatIsTyped } from './search-parts.tsx';

type Payout = RecordOf<'/operator/payout'>;
type Query = NonNullable<Input<'get', '/operator/payout'>['query']>;
export type PayoutSearch = ListSearch<'search' | 'merchantId' | 'only' | 'status' | 'rail' | 'from' | 'to'>;

const SIZE = 50;
const STATUSES = [
  'UNKNOWN',
  'PENDING_APPROVAL',
  'SCHEDULED',
  'QUEUED',
  'PROCESSING',
  'SUCCESS',
  'FAILED',
  'REVERSED',
  'CANCELLED',
] as const;
const MODES = [
  { value: 'LIVE', label: 'Live' },
  { value: 'SANDBOX', label: 'Sandbox' },
] as const;
const NO_FILTERS: Partial<Record<keyof PayoutSearch, undefined>> = {
  search: undefined,
  merchantId: undefined,
  only: undefined,
  status: undefined,
  rail: undefined,
  from: undefined,
  to: undefined,
};

const COLUMNS: readonly Column<Payout>[] = [
  {
    key: 'payee',
    header: 'To',
    cell: ({ payoutId, payee, businessName, merchantId }) => (
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
        <p className="text-xs break-words text-muted sm:hidden">From {businessName ?? merchantId}</p>
      </div>
    ),
  },
  {
    key: 'merchant',
    header: 'From',
    wideOnly: true,
    cell: ({ merchantId, businessName, mode }) => (
      <div className="min-w-24">
        <p className="break-words">{businessName ?? merchantId}</p>
        <p className="text-xs text-muted">{mode === 'LIVE' ? 'Live' : 'Sandbox'}</p>
      </div>
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
    cell: ({ status, reason, isUnknown }) =>
      isUnknown ? <Badge tone="warn">Unknown</Badge> : <Status status={status} reason={reason} />,
  },
  { key: 'rail', header: 'Rail', wideOnly: true, cell: ({ rail }) => rail },
  { key: 'created', header: 'Accepted', wideOnly: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

export interface PayoutsPageProps {
  search: PayoutSearch;
  onSearch: (change: { [K in keyof PayoutSearch]?: PayoutSearch[K] | undefined }) => void;
}

/** Payouts of all merchants, newest first. */
export function OperatorPayoutsPage({ search, onSearch }: PayoutsPageProps) {
  const filters = filtersOf(search, 'merchantId', 'status', 'rail', 'from', 'to');
  const ofMode = search.only === undefined ? {} : { mode: search.only };
  const query = { ...filters, ...ofMode, ...whatIsTyped(search.search, 'reference') } as Query;
  const list = useList(
    '/operator/payout',
    { query: { ...query, ...atPlace(search.page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const onFilter: PayoutsPageProps['onSearch'] = (change) => onSearch({ ...change, page: undefined });
  const isFiltered = Object.keys(query).length > 0;
  return (
    <ListPage
      title="Payouts"
      about="Of all merchants, newest first. What happened in the last seconds may be missing."
      filters={<PayoutFilters search={search} onFilter={onFilter} isFiltered={isFiltered} />}
      note={<LookedBack to={list.data?.lookedBackTo ?? null} onFurther={(to) => onFilter({ to })} />}
      isFiltered={isFiltered}
      columns={COLUMNS}
      rowKey={({ payoutId }) => payoutId}
      list={list}
      onPage={(page) => onSearch({ page })}
      empty={
        <EmptyState icon={Send} title="Nobody has paid out yet">
          Payouts of all merchants are listed here once there are some.
        </EmptyState>
      }
    />
  );
}

interface Filtering {
  search: PayoutSearch;
  onFilter: PayoutsPageProps['onSearch'];
  isFiltered: boolean;
}

function PayoutFilters({ search, onFilter, isFiltered }: Filtering): ReactNode {
  const rails = useRead('/operator/rail', {}).data?.records ?? [];
  return (
    <>
      <SearchFilter
        label="Search"
        placeholder="Reference, session id, account or amount"
        value={search.search}
        onChange={(text) => onFilter({ search: text })}
      />
      <MerchantFilter value={search.merchantId} onChange={(merchantId) => onFilter({ merchantId })} />
      <div className="flex gap-3 *:min-w-0 *:flex-1">
        <SelectFilter
          label="Status"
          all="All statuses"
          options={STATUSES.map((value) => ({
            value,
            label: value === 'UNKNOWN' ? 'Unknown' : showStatus(value).word,
          }))}
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
      <div>
        <SelectFilter
          label="Rail"
          all="All rails"
          options={rails.map(({ railId }) => ({ value: railId, label: railId }))}
          value={search.rail}
          onChange={(rail) => onFilter({ rail })}
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
