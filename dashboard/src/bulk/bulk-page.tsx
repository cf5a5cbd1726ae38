import { Link } from '@tanstack/react-router';
import { FileSpreadsheet } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { atPlace, type ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useIsSuspended, useMay, useMode } from '../api/session.ts';
import type { RecordOf } from '../api/types.ts';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { showStatus } from '../components/status-words.ts';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { rows, summedRows } from './batch.ts';
import { UploadCard } from './upload-card.tsx';

/** After the page: most lists begin with a file. */
const RepeatLastList = lazy(() => import('./repeat-list.tsx').then((part) => ({ default: part.RepeatLastList })));

type Listed = RecordOf<'/payout/bulk'>;
type Search = ListSearch<'status'>;

const STATUSES: readonly Listed['status'][] = [
  'VALIDATING',
  'NEEDS_FIX',
  'READY',
  'PENDING_APPROVAL',
  'DISPATCHING',
  'COMPLETED',
  'PARTIALLY_COMPLETED',
  'CANCELLED',
  'EXPIRED',
];
const CHOICES = STATUSES.map((value) => ({ value, label: showStatus(value).word }));

const COLUMNS: readonly Column<Listed>[] = [
  {
    key: 'file',
    header: 'List',
    cell: (batch) => (
      <>
        <Link
          to="/bulk/$batchReference"
          params={{ batchReference: batch.batchReference }}
          className="font-medium wrap-anywhere text-accent underline"
        >
          {batch.fileName ?? 'Sent over the API'}
        </Link>
        <span className="figures hidden text-xs text-muted md:block">{batch.batchReference}</span>
        <span className="block text-xs md:hidden">
          {rows(batch.itemCount)}, <Amounts batch={batch} />
        </span>
      </>
    ),
  },
  { key: 'status', header: 'Status', cell: ({ status, reason }) => <Status status={status} reason={reason} /> },
  {
    key: 'rows',
    header: 'Rows',
    align: 'right',
    wideOnly: true,
    cell: ({ itemCount }) => <span className="figures">{formatCount(itemCount)}</span>,
  },
  { key: 'amount', header: 'Amount', align: 'right', wideOnly: true, cell: (batch) => <Amounts batch={batch} /> },
  {
    key: 'created',
    header: 'Uploaded',
    wideOnly: true,
    cell: ({ createdAt, dispatchedAt }) => (
      <>
        <Moment at={createdAt} />
        {dispatchedAt !== null && (
          <span className="block text-xs text-muted">
            Dispatched <Moment at={dispatchedAt} />
          </span>
        )}
      </>
    ),
  },
];

/** What the rows that can be paid come to, and below it how many these are and what was paid of that. */
function Amounts({ batch: { amount, paidAmount, dispatchedAt, itemCount, validItemCount } }: { batch: Listed }) {
  return (
    <>
      <Amount value={amount} className="whitespace-nowrap" />
      {validItemCount < itemCount && (
        <span className="block text-xs text-muted">{summedRows(validItemCount, dispatchedAt !== null)}</span>
      )}
      {dispatchedAt !== null && (
        <span className="block text-xs whitespace-nowrap text-muted">
          <Amount value={paidAmount} /> paid
        </span>
      )}
    </>
  );
}

export interface BulkPageProps {
  search: Search;
  onSearch: (search: Search) => void;
}

/** All lists of payouts, and where the next one begins. */
export function BulkPage({ search, onSearch }: BulkPageProps) {
  const mode = useMode();
  const may = useMay();
  const isSuspended = useIsSuspended();
  const { page, status } = search;
  const batches = useList('/payout/bulk', {
    query: { ...atPlace(page), size: 25, ...(isStatus(status) ? { status } : {}) },
  });
  const mayWrite = may('payout:write', mode);
  return (
    <ListPage
      title="Bulk payouts"
      about="Pay a whole list at once: upload it, edit what is wrong, and pay it with one PIN."
      intro={
        mayWrite ? (
          <>
            <UploadCard />
            <Suspense>
              <RepeatLastList />
            </Suspense>
          </>
        ) : (
          !isSuspended && <p className="mb-6 text-muted">Your role can look at lists. A maker uploads and pays them.</p>
        )
      }
      filters={
        <SelectFilter
          label="Status"
          value={status}
          all="All statuses"
          options={CHOICES}
          onChange={(next) => onSearch(next === undefined ? {} : { status: next })}
        />
      }
      columns={COLUMNS}
      rowKey={({ id }) => id}
      list={batches}
      onPage={(next) => onSearch({ ...search, page: next })}
      isFiltered={status !== undefined}
      empty={
        <EmptyState icon={FileSpreadsheet} title="No list yet">
          A list pays up to 100,000 people at once. Take the template, fill it in, and drop it above: every row is
          checked with its bank before anything is paid.
        </EmptyState>
      }
    />
  );
}

function isStatus(status: string | undefined): status is Listed['status'] {
  return STATUSES.some((known) => known === status);
}
