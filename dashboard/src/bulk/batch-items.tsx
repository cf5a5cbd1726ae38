import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { usePages } from '../api/pages.ts';
import { cn } from '../components/class-names.ts';
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx';
import { formatCount } from '../format/money.ts';
import type { Batch } from './batch.ts';
import { ItemGrid } from './item-grid.tsx';
import type { ItemEdits } from './use-item-edits.ts';
import type { ItemRemoval } from './use-item-removal.ts';

/** Which rows are in sight; everything without a word. */
export type ItemsShown = 'invalid' | 'warnings' | 'repeats' | undefined;

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
  const { counts, duplicates } = batch;
  const navigate = useNavigate();
  const seeksRed = useRef(false);
  function showInvalid(): void {
    seeksRed.current = true;
    void navigate({ to: '.', search: (before: object) => ({ ...before, show: 'invalid' }), replace: true });
  }
  useEffect(() => {
    if (shown === 'invalid' && pages.total !== undefined) seeksRed.current = false;
  }, [shown, pages.total]);
  return (
    <section aria-labelledby="rows" className="min-w-0">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <h2 id="rows" className="text-base font-semibold">
          Rows
        </h2>
        <nav aria-label="Which rows" className="flex flex-wrap gap-1">
          <Filter label="All" count={counts.total} show={undefined} shown={shown} />
          <Filter label="To correct" count={counts.invalid} show="invalid" shown={shown} />
          <Filter label="With a note" count={counts.warnings} show="warnings" shown={shown} />
          <Filter label="Repeats" count={duplicates.count} show="repeats" shown={shown} />
        </nav>
      </div>
      <div className="card overflow-hidden">
        {pages.error !== undefined && pages.total === undefined ? (
          <ErrorState error={pages.error} onRetry={pages.refetch} />
        ) : pages.total === undefined ? (
          <Skeleton className="h-[min(70dvh,46rem)] w-full rounded-none" />
        ) : pages.total === 0 ? (
          <NoRows shown={shown} />
        ) : (
          <ItemGrid
            key={shown ?? 'all'}
            caption="Rows of the bulk payout"
            pages={pages}
            total={pages.total}
            edits={edits}
            removal={removal}
            editable={editable}
            invalid={counts.invalid}
            onlyInvalid={shown === 'invalid'}
            beginsAtRed={seeksRed.current}
            onShowInvalid={showInvalid}
          />
        )}
      </div>
    </section>
  );
}

function filterOf(shown: ItemsShown) {
  if (shown === 'invalid') return { isValid: false };
  if (shown === 'warnings') return { hasWarnings: true };
  return shown === 'repeats' ? { isDuplicate: true } : {};
}

function Filter({ label, count, show, shown }: { label: string; count: number; show: ItemsShown; shown: ItemsShown }) {
  return (
    <Link
      to="."
      search={(before: object) => ({ ...before, show })}
      replace
      aria-current={show === shown ? 'true' : undefined}
      className={cn(
        'inline-flex min-h-8 items-center gap-1.5 rounded-control px-2.5 text-xs font-medium text-muted hover:bg-hover',
        show === shown && 'bg-accent-soft text-accent',
      )}
    >
      {label}
      <span className="figures">{formatCount(count)}</span>
    </Link>
  );
}

function NoRows({ shown }: { shown: ItemsShown }) {
  if (shown === 'invalid')
    return <EmptyState title="Nothing to correct">Every row that was checked can be paid.</EmptyState>;
  if (shown === 'warnings')
    return <EmptyState title="No notes">No row was corrected, and every name is like the given one.</EmptyState>;
  if (shown === 'repeats')
    return <EmptyState title="No repeats">No row repeats what was paid, waits or stands above it.</EmptyState>;
  return <EmptyState title="No row is left">All rows were removed. Call it off, and upload another file.</EmptyState>;
}
