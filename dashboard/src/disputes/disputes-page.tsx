import { Link } from '@tanstack/react-router';
import { Gavel } from 'lucide-react';
import { atPlace, type ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import { CollectionTabs } from '../collections/collection-tabs.tsx';
import {
  CATEGORY_WORDS,
  DISPUTE_WORDS,
  type Dispute,
  disputeStatus,
  isAnswered,
} from '../collections/dispute-words.ts';
import { StatusDaysFilters, statusDaysOf } from '../collections/status-days.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { TimeLeft } from '../components/time-left.tsx';
import { Amount, Moment } from '../components/values.tsx';

const LOOK_EVERY_MS = 5_000;
const STATUSES = Object.entries(DISPUTE_WORDS).map(([value, label]) => ({ value, label }));

/** Until when it can be answered; nothing once that is behind it. */
function Left({ dispute }: { dispute: Dispute }) {
  return dispute.status === 'OPEN' && !isAnswered(dispute) ? <TimeLeft dueAt={dispute.dueAt} /> : null;
}

const COLUMNS: readonly Column<Dispute>[] = [
  {
    key: 'dispute',
    header: 'Dispute',
    cell: ({ disputeId, message, category, openedAt }) => (
      <div className="min-w-32">
        <Link
          to="/collections/disputes/$disputeId"
          params={{ disputeId }}
          className="font-medium break-words text-accent underline"
        >
          {message ?? CATEGORY_WORDS[category]}
        </Link>
        <p className="text-xs text-muted">
          <Moment at={openedAt} />
        </p>
      </div>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (dispute) => (
      <>
        <Amount value={dispute.amount} className="font-medium" />
        <p className="mt-1 md:hidden">
          <Status {...disputeStatus(dispute)} />
        </p>
        <p className="mt-1 text-xs md:hidden">
          <Left dispute={dispute} />
        </p>
      </>
    ),
  },
  { key: 'status', header: 'Status', wideOnly: true, cell: (dispute) => <Status {...disputeStatus(dispute)} /> },
  { key: 'left', header: 'Time left', wideOnly: true, cell: (dispute) => <Left dispute={dispute} /> },
  { key: 'category', header: 'Why', wideOnly: 'xl', cell: ({ category }) => CATEGORY_WORDS[category] },
  {
    key: 'held',
    header: 'Held',
    align: 'right',
    wideOnly: 'xl',
    cell: ({ held }) => (held === 0 ? <span className="text-muted">–</span> : <Amount value={held} />),
  },
];

export type DisputesSearch = ListSearch<'status' | 'from' | 'to'>;
type Change = { [name in keyof DisputesSearch]?: string | undefined };

export interface DisputesPageProps {
  search: Change;
  onSearch: (change: Change) => void;
}

/** Payments that payers' banks want back. */
export function DisputesPage({ search, onSearch }: DisputesPageProps) {
  const mode = useMode();
  const query = statusDaysOf(STATUSES, search);
  const filter = (change: Change) => onSearch({ page: undefined, ...change });
  const list = useList(
    '/collection/dispute',
    { query: { ...query, ...atPlace(search.page), size: 25 } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  return (
    <ListPage
      title="Disputes"
      about="A payer’s bank wants a payment back. Answer in time: without an answer it is lost, and the amount is taken."
      caption="Disputes, newest first"
      actions={
        <DownloadButton
          address={`/collection/dispute.csv?${new URLSearchParams(query)}`}
          fileName={csvName(['disputes', mode], query)}
        >
          Download CSV
        </DownloadButton>
      }
      intro={<CollectionTabs />}
      filters={<StatusDaysFilters all="All disputes" statuses={STATUSES} query={query} onChange={filter} />}
      isFiltered={Object.keys(query).length > 0}
      columns={COLUMNS}
      rowKey={({ disputeId }) => disputeId}
      list={list}
      onPage={(page) => onSearch({ page })}
      empty={
        <EmptyState icon={Gavel} title="Nothing is disputed">
          {mode === 'SANDBOX'
            ? 'To try it, open a payment under Money in and dispute it as the payer’s bank.'
            : 'Whoever may answer gets a mail when a payer’s bank wants a payment back.'}
        </EmptyState>
      }
    />
  );
}
