import type { ReactNode } from 'react';
import { filtersOf, type ListSearch } from '../api/list-search.ts';
import { Button } from '../components/button.tsx';
import { SearchFilter, SelectFilter } from '../components/filters.tsx';
import { ListPage, type ListPageProps } from '../components/list-page.tsx';
import { MerchantFilter } from '../components/merchant-picker.tsx';
import { showStatus } from '../components/status-words.ts';
import { MODES } from '../format/modes.ts';
import { PeriodFilter } from '../wallet/period-filter.tsx';
import { LookedBack, whatIsTyped } from './search-parts.tsx';

/** What the lists of all merchants are filtered by. The rail is of payouts alone. */
export type DirectorySearch = ListSearch<'search' | 'merchantId' | 'only' | 'status' | 'rail' | 'from' | 'to'>;

export interface DirectorySearchProps {
  search: DirectorySearch;
  onSearch: (change: { [K in keyof DirectorySearch]?: DirectorySearch[K] | undefined }) => void;
}

const NO_FILTERS: Partial<Record<keyof DirectorySearch, undefined>> = {
  search: undefined,
  merchantId: undefined,
  only: undefined,
  status: undefined,
  rail: undefined,
  from: undefined,
  to: undefined,
};

/** The filters as the service takes them. @param own under which name an id or reference of ours is looked for */
export function directoryQuery(search: DirectorySearch, own: 'reference' | 'paymentId'): Record<string, string> {
  const filters = filtersOf(search, 'merchantId', 'status', 'rail', 'from', 'to');
  const ofMode: Record<string, string> = search.only === undefined ? {} : { mode: search.only };
  return { ...filters, ...ofMode, ...whatIsTyped(search.search, own) };
}

interface DirectoryPageProps<T>
  extends DirectorySearchProps,
    Pick<ListPageProps<T>, 'title' | 'about' | 'columns' | 'rowKey' | 'list' | 'empty'> {
  /** What may be typed into the field. */
  placeholder: string;
  statuses: readonly string[];
  query: Readonly<Record<string, string>>;
  lookedBackTo: string | null | undefined;
  /** A filter that only this list has. */
  children?: (onFilter: DirectorySearchProps['onSearch']) => ReactNode;
}

/** A list across all merchants: what is typed, whose, how it stands, in which mode and when. */
export function DirectoryPage<T>(props: DirectoryPageProps<T>) {
  const { search, onSearch, placeholder, statuses, query, lookedBackTo, children, ...list } = props;
  const onFilter: DirectorySearchProps['onSearch'] = (change) => onSearch({ ...change, page: undefined });
  const isFiltered = Object.keys(query).length > 0;
  const filters = (
    <>
      <SearchFilter
        label="Search"
        placeholder={placeholder}
        value={search.search}
        onChange={(text) => onFilter({ search: text })}
      />
      <MerchantFilter value={search.merchantId} onChange={(merchantId) => onFilter({ merchantId })} />
      <div className="flex gap-3 *:min-w-0 *:flex-1">
        <SelectFilter
          label="Status"
          all="All statuses"
          options={statuses.map((value) => ({ value, label: statusWord(value) }))}
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
      {children?.(onFilter)}
      <PeriodFilter period={search} all="Any time" onChange={({ from, to }) => onFilter({ from, to })} />
      {isFiltered && (
        <Button look="quiet" onClick={() => onFilter(NO_FILTERS)}>
          Clear the filters
        </Button>
      )}
    </>
  );
  return (
    <ListPage
      {...list}
      filters={filters}
      note={<LookedBack to={lookedBackTo ?? null} onFurther={(to) => onFilter({ to })} />}
      isFiltered={isFiltered}
      onPage={(page) => onSearch({ page })}
    />
  );
}

const statusWord = (status: string): string => (status === 'UNKNOWN' ? 'Unknown' : showStatus(status).word);

/** Whose it is, in which mode. */
export function MerchantCell({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-24">
      <p className="break-words">{name}</p>
      <p className="text-xs text-muted">{children}</p>
    </div>
  );
}
