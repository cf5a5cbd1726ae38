import { lazy, Suspense } from 'react';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/states.tsx';
import {
  activeFields,
  type FilterSearch,
  type Filters,
  type FilterWords,
  filterText,
  noFilters,
  type ViewList,
} from './filter-fields.ts';

const FilterCounts = lazy(() => import('./filter-counts.tsx').then((part) => ({ default: part.FilterCounts })));

export type ListPath = '/transaction' | '/collection/payment';

export interface NothingLeftProps {
  list: ViewList;
  path: ListPath;
  search: FilterSearch;
  words: FilterWords;
  /** What is asked for a search. */
  queryOf: (search: Filters) => object;
  onFilter: (change: FilterSearch) => void;
  /** What helps beside, such as that a reference has to be given whole. */
  hint?: string | undefined;
}

/** Says of an empty list which of its filters leaves nothing: how many there would be without each. */
export function NothingLeft(props: NothingLeftProps) {
  const { list, search, words, onFilter, hint } = props;
  const active = activeFields(list, search);
  return (
    <EmptyState
      title="No matches"
      action={<Button onClick={() => onFilter(noFilters(list))}>Clear the filters</Button>}
    >
      <p>{sentence(active.map((field) => filterText(field, search[field] ?? '', words)))}</p>
      {hint !== undefined && <p className="mt-1">{hint}</p>}
      {active.length > 1 && (
        <Suspense>
          <FilterCounts {...props} />
        </Suspense>
      )}
    </EmptyState>
  );
}

function sentence(filters: readonly string[]): string {
  const [only] = filters;
  if (filters.length === 1) return `Nothing is left by the filter “${only}”.`;
  return `Nothing has all of: ${filters.map((filter) => `“${filter}”`).join(', ')}.`;
}
