import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../format/money.ts';
import { Button, IconButton } from './button.tsx';
import { cn } from './class-names.ts';
import { EmptyState, ErrorState, Skeleton } from './states.tsx';

export interface Column<T> {
  key: string;
  header: ReactNode;
  cell: (row: T) => ReactNode;
  /** Amounts and counts stand right. */
  align?: 'right';
  /** Left out on a phone, or with `xl` on anything but a wide screen; the first column never is. */
  wideOnly?: boolean | 'xl';
}

interface Paged<T> extends Places {
  records: readonly T[];
}

/** Where a list goes on, and how long it is where it begins: behind that nothing is counted. */
interface Places {
  totalRecords: number | null;
  /** False where the total is a lower bound. */
  totalIsExact: boolean | null;
  nextCursor: string | null;
  previousCursor: string | null;
}

export interface TableProps<T> {
  /** Read out as the table's name. */
  caption: string;
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  /** What `useList` gives: rows, loading and refusals are shown from it. Or give `rows`. */
  list?: { data: Paged<T> | undefined; error: unknown; isPlaceholderData?: boolean; refetch: () => unknown };
  rows?: readonly T[];
  /** Shown where there is nothing: an `<EmptyState>`. */
  empty: ReactNode;
  /** Given where a list goes on, as it stands in the address; nothing is its beginning. */
  onPage?: (place: string | undefined) => void;
  /** A row that is out of the ordinary. */
  rowClass?: (row: T) => string | undefined;
}

/** A list by pages. The first cell holds the link that opens the record. */
export function Table<T>(props: TableProps<T>) {
  const { caption, columns, rowKey, list, rows = list?.data?.records, empty, onPage, rowClass } = props;
  if (list?.error != null && rows === undefined) return <ErrorState error={list.error} onRetry={list.refetch} />;
  if (rows?.length === 0 && list?.data?.totalRecords === null) return <NothingMore onPage={onPage} />;
  if (rows?.length === 0) return empty === null ? null : <div className="card">{empty}</div>;
  return (
    <div className="card overflow-hidden">
      <section aria-label={caption} className="relative overflow-x-auto" {...SCROLLS}>
        <table
          className={cn('w-full border-collapse text-sm', list?.isPlaceholderData === true && 'opacity-60')}
          aria-busy={list?.isPlaceholderData}
        >
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-b bg-sunken text-left text-xs text-muted">
              {columns.map((column) => (
                <th key={column.key} scope="col" className={cn('px-3 py-2.5 font-medium sm:px-4', cellLook(column))}>
                  {column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows === undefined
              ? LOADING.map((key) => <LoadingRow key={key} columns={columns} />)
              : rows.map((row) => (
                  <tr key={rowKey(row)} className={cn('border-b last:border-0 hover:bg-hover', rowClass?.(row))}>
                    {columns.map((column, at) => (
                      <td
                        key={column.key}
                        className={cn('px-3 py-2.5 align-middle sm:px-4', at === 0 && NAMES, cellLook(column))}
                      >
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </section>
      {list?.data !== undefined && onPage !== undefined && <Pager {...list.data} onPage={onPage} />}
    </div>
  );
}

/** A region that scrolls has to be reachable by keyboard. It is `relative`, so that hidden words of wide rows stay in it. */
const SCROLLS = { tabIndex: 0 };
const LOADING = ['a', 'b', 'c', 'd', 'e', 'f'];

/** What people named is broken anywhere: a word without an end would push the amounts out of sight. */
const NAMES = 'min-w-28 wrap-anywhere md:min-w-44';

function cellLook<T>({ align, wideOnly }: Column<T>): string {
  return cn(
    align === 'right' && 'text-right',
    wideOnly === true && 'hidden md:table-cell',
    wideOnly === 'xl' && 'hidden xl:table-cell',
  );
}

function LoadingRow<T>({ columns }: { columns: readonly Column<T>[] }) {
  return (
    <tr className="border-b last:border-0">
      {columns.map((column) => (
        <td key={column.key} className={cn('px-3 py-3 sm:px-4', cellLook(column))}>
          <Skeleton className={cn('w-3/4', column.align === 'right' && 'ml-auto')} />
        </td>
      ))}
    </tr>
  );
}

interface PagerProps extends Places {
  onPage: (place: string | undefined) => void;
}

/**
 * To the next and the page before. Rows that come or go meanwhile move nothing: no row is missed, and none comes twice. A
 * button that leads no further keeps the focus: somebody goes on by keyboard from there.
 */
export function Pager({ totalRecords, totalIsExact, nextCursor, previousCursor, onPage }: PagerProps) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 border-t px-3 py-2 text-xs text-muted sm:px-4">
      {totalRecords === null ? (
        <Button size="small" look="quiet" onClick={() => onPage(undefined)}>
          To the first page
        </Button>
      ) : (
        <p className="figures">
          {totalIsExact === false ? 'More than ' : ''}
          {formatCount(totalRecords)} {totalRecords === 1 ? 'record' : 'records'}
        </p>
      )}
      {(nextCursor !== null || previousCursor !== null) && (
        <nav aria-label="Pages" className="flex items-center gap-1">
          <IconButton
            icon={ChevronLeft}
            label="Previous page"
            aria-disabled={previousCursor === null}
            onClick={() => previousCursor !== null && onPage(`before.${previousCursor}`)}
          />
          <IconButton
            icon={ChevronRight}
            label="Next page"
            aria-disabled={nextCursor === null}
            onClick={() => nextCursor !== null && onPage(`after.${nextCursor}`)}
          />
        </nav>
      )}
    </div>
  );
}

/** What was here has gone, as out of a list of what waits. */
export function NothingMore({ onPage }: { onPage?: ((place: string | undefined) => void) | undefined }) {
  return (
    <div className="card">
      <EmptyState
        title="Nothing is left here"
        action={onPage !== undefined && <Button onClick={() => onPage(undefined)}>To the first page</Button>}
      >
        What was on this page is no longer in the list.
      </EmptyState>
    </div>
  );
}
