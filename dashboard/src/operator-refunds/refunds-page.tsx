import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { atPlace, type ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { REFUND_WORDS } from '../collections/refund-words.ts';
import { DayFilter } from '../components/day-filters.tsx';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { MerchantFilter } from '../components/merchant-picker.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge, Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { MODES, modeWord } from '../format/modes.ts';
import { dayOf, isEnd } from '../format/period.ts';
import { startOfLagosDay } from '../format/time.ts';
import { RailsFilter } from '../operator/rails-filter.tsx';
import { type OperatorRefund, REFUND_REASONS } from './refund-words.ts';

const RefundCasePage = lazy(() => import('./refund-case-page.tsx').then((part) => ({ default: part.RefundCasePage })));

const SIZE = 50;
const LOOK_EVERY_MS = 30_000;
const SHOWN = [
  { value: 'decide', label: 'What people have to decide' },
  { value: 'proposed', label: 'What waits for a second person' },
] as const;
const STATUSES = Object.entries(REFUND_WORDS).map(([value, label]) => ({ value, label }));

/** Why people have to look into it, and how far they are. */
function ForPeople({ refund: { operatorReason, proposal } }: { refund: OperatorRefund }) {
  if (operatorReason === null && proposal === null) return null;
  return (
    <p className="mt-1 flex flex-wrap gap-2 text-xs text-muted">
      {operatorReason !== null && REFUND_REASONS[operatorReason]}
      {proposal !== null && (
        <Badge tone={proposal.isMine ? 'info' : 'warn'}>
          {proposal.isMine ? 'You proposed an outcome' : 'Waits for a second person'}
        </Badge>
      )}
    </p>
  );
}

const COLUMNS: readonly Column<OperatorRefund>[] = [
  {
    key: 'merchant',
    header: 'Refund of',
    cell: (refund) => (
      <div className="min-w-32">
        <Link
          to="/operator/refunds"
          search={{ refund: refund.refundId, merchantId: refund.merchantId, only: refund.mode }}
          className="font-medium break-words text-accent underline"
        >
          {refund.businessName ?? refund.merchantId}
        </Link>
        <p className="text-xs text-muted">
          {modeWord(refund.mode)}, <Moment at={refund.createdAt} />
        </p>
        <ForPeople refund={refund} />
      </div>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount, currency, status, reason }) => (
      <>
        <Amount value={amount} currency={currency} className="font-medium" />
        <p className="mt-1 md:hidden">
          <Status status={status} reason={reason} word={REFUND_WORDS[status]} />
        </p>
      </>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    wideOnly: true,
    cell: ({ status, reason }) => <Status status={status} reason={reason} word={REFUND_WORDS[status]} />,
  },
  {
    key: 'way',
    header: 'How',
    wideOnly: true,
    cell: ({ way, rail }) => (way === 'PAYOUT' ? 'As a payout' : `By ${rail}`),
  },
  {
    key: 'since',
    header: 'Before you since',
    wideOnly: 'xl',
    cell: ({ operatorSince }) => (operatorSince === null ? '' : <Moment at={operatorSince} />),
  },
];

export type OperatorRefundsSearch = ListSearch<'show' | 'status' | 'only' | 'refund' | 'merchantId' | 'rail' | 'from'>;

interface RefundsPageProps {
  search: OperatorRefundsSearch;
  onSearch: (change: { [K in keyof OperatorRefundsSearch]?: string | undefined }) => void;
}

/** What the interface is asked for; what stands in the address and is no such word is left out. */
function queryOf({ show, status, only, merchantId, rail, from }: OperatorRefundsSearch) {
  const knownStatus = STATUSES.find(({ value }) => value === status)?.value as OperatorRefund['status'] | undefined;
  const knownMode = MODES.find(({ value }) => value === only)?.value;
  const isQueue = show === 'decide' || show === 'proposed';
  // A queue is of any day.
  const day = !isQueue && from !== undefined && isEnd(from) ? dayOf(from) : undefined;
  return {
    ...(show === 'decide' && { needsDecision: true }),
    ...(show === 'proposed' && { isProposed: true }),
    ...(knownStatus !== undefined && { status: knownStatus }),
    ...(knownMode !== undefined && { mode: knownMode }),
    ...(merchantId !== undefined && { merchantId }),
    ...(rail !== undefined && { rail }),
    ...(day !== undefined && { from: startOfLagosDay(day) }),
  };
}

/** One refund, whose ids stand in the address, or the list. */
export function OperatorRefundsPage(props: RefundsPageProps) {
  const { refund, merchantId, only } = props.search;
  if (refund === undefined || merchantId === undefined) return <RefundList {...props} />;
  return (
    <Suspense fallback={null}>
      <RefundCasePage
        key={refund}
        refundId={refund}
        merchantId={merchantId}
        mode={only === 'LIVE' ? 'LIVE' : 'SANDBOX'}
      />
    </Suspense>
  );
}

/** Refunds of all merchants, and those whose outcome nobody knows: two people decide them. */
function RefundList({ search, onSearch }: RefundsPageProps) {
  const query = queryOf(search);
  const filter = (change: Record<string, string | undefined>) => onSearch({ page: undefined, ...change });
  const list = useList(
    '/operator/refund',
    { query: { ...query, ...atPlace(search.page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const isQueue = query.needsDecision === true || query.isProposed === true;
  return (
    <ListPage
      title="Refunds"
      about="Of all merchants, newest first, and of the last 90 days where no day is chosen. Where the provider does not say what became of one, one person proposes it and another confirms it."
      caption={isQueue ? 'Refunds to decide' : 'Refunds of all merchants, newest first'}
      filters={
        <>
          <MerchantFilter value={search.merchantId} onChange={(merchantId) => filter({ merchantId })} />
          <SelectFilter
            label="Show"
            all="All refunds"
            options={SHOWN}
            value={SHOWN.find(({ value }) => value === search.show)?.value}
            onChange={(show) => filter({ show })}
          />
          <SelectFilter
            label="Status"
            all="Every status"
            options={STATUSES}
            value={query.status}
            onChange={(status) => filter({ status })}
          />
          <SelectFilter
            label="Mode"
            all="Live and sandbox"
            options={MODES}
            value={query.mode}
            onChange={(only) => filter({ only })}
          />
          <RailsFilter rail={search.rail} onChange={(rail) => filter({ rail })} />
          {!isQueue && <DayFilter label="Made since" value={search.from} onChange={(from) => filter({ from })} />}
        </>
      }
      isFiltered={Object.keys(query).length > (isQueue ? 1 : 0)}
      columns={COLUMNS}
      rowKey={({ refundId }) => refundId}
      list={list}
      onPage={(page) => onSearch({ page })}
      empty={
        <EmptyState icon={Undo2} title={isQueue ? 'Nothing waits for a decision' : 'Nothing was refunded'}>
          {isQueue
            ? 'A refund comes here when its provider has not said for a day what became of it.'
            : 'Of no merchant, in the last 90 days.'}
        </EmptyState>
      }
    />
  );
}
