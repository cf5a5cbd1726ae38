import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/states.tsx';
import { FilterCounts, type NothingLeftProps } from './filter-counts.tsx';
import { activeFields, filterText, noFilters } from './filter-fields.ts';

/** Says of an empty list which of its filters leaves nothing: how many there would be without each. */
export function NoMatches(props: NothingLeftProps) {
  const { list, search, words, onFilter, hint } = props;
  const active = activeFields(list, search);
  return (
    <EmptyState
      title="No matches"
      action={<Button onClick={() => onFilter(noFilters(list))}>Clear the filters</Button>}
    >
      <p>{sentence(active.map((field) => filterText(field, search[field] ?? '', words)))}</p>
      {hint !== undefined && <p className="mt-1">{hint}</p>}
      {active.length > 1 && <FilterCounts {...props} />}
    </EmptyState>
  );
}

function sentence(filters: readonly string[]): string {
  const [only] = filters;
  if (filters.length === 1) return `Nothing is left by the filter “${only}”.`;
  return `Nothing has all of: ${filters.map((filter) => `“${filter}”`).join(', ')}.`;
}
