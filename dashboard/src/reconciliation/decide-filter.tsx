import { CircleCheck } from 'lucide-react';
import type { ListSearch } from '../api/list-search.ts';
import { SelectFilter } from '../components/filters.tsx';
import { EmptyState } from '../components/states.tsx';

export type SettlementsSearch = ListSearch<'show'>;

export interface SettlementListProps {
  search: SettlementsSearch;
  onSearch: (change: { [K in keyof SettlementsSearch]?: SettlementsSearch[K] | undefined }) => void;
}

const SHOWN = [{ value: 'decide', label: 'What people have to decide' }] as const;

/** Among settlements, those of rails or of providers: all, or those with something that waits for somebody. */
export function DecideFilter({ show, onSearch }: { show: string | undefined } & Pick<SettlementListProps, 'onSearch'>) {
  return (
    <SelectFilter
      label="Show"
      all="All"
      options={SHOWN}
      value={SHOWN.find(({ value }) => value === show)?.value}
      onChange={(next) => onSearch({ show: next, page: undefined })}
    />
  );
}

export const NothingToDecide = () => (
  <EmptyState icon={CircleCheck} title="Nothing waits for a decision">
    A settlement comes here when a line of it differs from the books, or when another person has to apply it.
  </EmptyState>
);
