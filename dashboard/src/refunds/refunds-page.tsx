import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { atPlace, type ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import { CollectionTabs } from '../collections/collection-tabs.tsx';
import { REFUND_WORDS, type Refund } from '../collections/refund-words.ts';
import { StatusDaysFilters, statusDaysOf } from '../collections/status-days.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { CAUSE_WORDS, WAY_WORDS } from './refund-steps.ts';

const RuleSection = lazy(() => import('./rule-section.tsx').then((part) => ({ default: part.RuleSection })));

const LOOK_EVERY_MS = 5_000;
const STATUSES = Object.entries(REFUND_WORDS).map(([value, label]) => ({ value, label }));

const COLUMNS: readonly Column<Refund>[] = [
  {
    key: 'refund',
    header: 'Refund',
    cell: ({ refundId, note, createdAt }) => (
      <div className="min-w-32">
        <Link
          to="/collections/refunds/$refundId"
          params={{ refundId }}
          className="font-medium break-words text-accent underline"
        >
          {note ?? 'Refund'}
        </Link>
        <p className="text-xs text-muted">
          <Moment at={createdAt} />
        </p>
      </div>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount, status, reason }) => (
      <>
        <Amount value={amount} className="font-medium" />
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
  { key: 'way', header: 'How it goes back', wideOnly: true, cell: ({ way }) => WAY_WORDS[way] },
  { key: 'cause', header: 'Why', wideOnly: 'xl', cell: ({ cause }) => CAUSE_WORDS[cause] },
];

export type RefundsSearch = ListSearch<'status' | 'from' | 'to'>;

export interface RefundsPageProps {
  search: { [name in keyof RefundsSearch]?: string | undefined };
  onSearch: (change: { [name in keyof RefundsSearch]?: string | undefined }) => void;
}

/** What went back to payers, or is on its way there. */
export function RefundsPage({ search, onSearch }: RefundsPageProps) {
  const mode = useMode();
  const query = statusDaysOf(STATUSES, search);
  const filter = (change: RefundsPageProps['search']) => onSearch({ page: undefined, ...change });
  const list = useList(
    '/collection/refund',
    { query: { ...query, ...atPlace(search.page), size: 25 } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  return (
    <ListPage
      title="Refunds"
      about="What goes back of a payment goes to its payer alone. Open a payment to refund it."
      caption="Refunds, newest first"
      actions={
        <DownloadButton
          address={`/collection/refund.csv?${new URLSearchParams(query)}`}
          fileName={csvName(['refunds', mode], query)}
        >
          Download CSV
        </DownloadButton>
      }
      intro={
        <>
          <CollectionTabs />
          <Suspense fallback={null}>
            <RuleSection />
          </Suspense>
        </>
      }
      filters={<StatusDaysFilters all="All refunds" statuses={STATUSES} query={query} onChange={filter} />}
      isFiltered={Object.keys(query).length > 0}
      columns={COLUMNS}
      rowKey={({ refundId }) => refundId}
      list={list}
      onPage={(page) => onSearch({ page })}
      empty={
        <EmptyState icon={Undo2} title="Nothing was refunded yet">
          A payment is refunded from its own page, in full or in part.
        </EmptyState>
      }
    />
  );
}
