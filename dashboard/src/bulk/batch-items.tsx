import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { usePages } from '../api/pages.ts';
import { cn } from '../components/class-names.ts';
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx';
import { formatCount, formatMany } from '../format/money.ts';
import type { Batch } from './batch.ts';
import { ItemCards } from './item-cards.tsx';
import { ItemGrid } from './item-grid.tsx';
import { filterOf, type ItemsShown } from './items-shown.ts';
import type { ItemEdits } from './use-item-edits.ts';
import type { ItemRemoval } from './use-item-removal.ts';
import { useNarrow } from './use-narrow.ts';
import { useUnacceptedNames } from './use-problems.ts';

export interface BatchItemsProps {
  batch: Batch;
  shown: ItemsShown;
  edits: ItemEdits;
  removal: ItemRemoval;
  editable: boolean;
}

/** The rows: all of them, or those that need somebody. */
export function BatchItems({ batch, shown, edits, removal, editable }: BatchItemsProps) {
  const pages = usePages('/payout/bulk/{batchReference}/item', {
    path: { batchReference: batch.batchReference },
    query: filterOf(shown),
  });
  const { counts, duplicates, dispatchedAt } = batch;
  const names = useUnacceptedNames(batch);
  const isSent = dispatchedAt !== null;
  const isNarrow = useNarrow();
  const navigate = useNavigate();
  const seeksRed = useRef(false);
  function showInvalid(): void {
    seeksRed.current = true;
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, show: 'invalid' }),
      replace: true,
      resetScroll: false,
    });
  }
  useEffect(() => {
    if (shown.show === 'invalid' && pages.total !== undefined) seeksRed.current = false;
  }, [shown.show, pages.total]);
  return (
    <section aria-labelledby="rows" className="min-w-0">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <h2 id="rows" className="text-base font-semibold">
          Rows
        </h2>
        <nav aria-label="Which rows" className="flex flex-wrap gap-1">
          <Filter label="All" count={counts.total} show={undefined} shown={shown} />
          {!isSent && names > 0 && <Filter label="Names differ" count={names} show="names" shown={shown} />}
          <Filter label={isSent ? 'Left out' : 'To correct'} count={counts.invalid} show="invalid" shown={shown} />
          <Filter label="With a note" count={counts.warnings} show="warnings" shown={shown} />
          <Filter label="Repeats" count={duplicates.count} show="repeats" shown={shown} />
          {shown.show === 'group' && <Filter label="This problem" show="group" shown={shown} />}
        </nav>
      </div>
      {pages.total !== undefined && (
        <p className="hidden text-xs print:block">
          The list has {formatMany(pages.total, 'row')}; on paper are those in sight.
        </p>
      )}
      <div className="card isolate overflow-hidden">
        {pages.error !== undefined && pages.total === undefined ? (
          <ErrorState error={pages.error} onRetry={pages.refetch} />
        ) : pages.total === undefined ? (
          <Skeleton className="h-(--grid-height) w-full rounded-none" />
        ) : pages.total === 0 ? (
          <NoRows shown={shown} />
        ) : isNarrow ? (
          <ItemCards
            key={`${shown.show ?? 'all'} ${shown.problem ?? ''} ${shown.cause ?? ''}`}
            pages={pages}
            total={pages.total}
            edits={edits}
            removal={removal}
            editable={editable}
          />
        ) : (
          <ItemGrid
            key={`${shown.show ?? 'all'} ${shown.problem ?? ''} ${shown.cause ?? ''}`}
            caption="Rows of the bulk payout"
            pages={pages}
            total={pages.total}
            edits={edits}
            removal={removal}
            editable={editable}
            invalid={counts.invalid}
            onlyInvalid={shown.show === 'invalid'}
            beginsAtRed={seeksRed.current}
            onShowInvalid={showInvalid}
          />
        )}
      </div>
    </section>
  );
}

interface FilterProps {
  label: string;
  count?: number;
  show: ItemsShown['show'];
  shown: ItemsShown;
}

function Filter({ label, count, show, shown }: FilterProps) {
  return (
    <Link
      to="."
      search={(before: object) =>
        show === 'group' ? before : { ...before, show, problem: undefined, cause: undefined }
      }
      replace
      resetScroll={false}
      aria-current={show === shown.show ? 'true' : undefined}
      className={cn(
        'inline-flex min-h-8 items-center gap-1.5 rounded-control px-2.5 text-xs font-medium text-muted hover:bg-hover',
        show === shown.show && 'bg-accent-soft text-accent',
      )}
    >
      {label}
      {count !== undefined && <span className="figures">{formatCount(count)}</span>}
    </Link>
  );
}

function NoRows({ shown: { show } }: { shown: ItemsShown }) {
  if (show === 'invalid')
    return <EmptyState title="Nothing to correct">Every row that was checked can be paid.</EmptyState>;
  if (show === 'warnings')
    return <EmptyState title="No notes">No row was corrected, and every name is like the given one.</EmptyState>;
  if (show === 'repeats')
    return <EmptyState title="No repeats">No row repeats what was paid, waits or stands above it.</EmptyState>;
  if (show !== undefined) return <EmptyState title="No rows">No row is in this group any more.</EmptyState>;
  return <EmptyState title="No row is left">All rows were removed. Cancel it, and upload another file.</EmptyState>;
}
