import { filtersOf } from '../api/list-search.ts';
import { DaysFilter } from '../components/day-filters.tsx';
import { SelectFilter } from '../components/filters.tsx';

type Options = readonly { value: string; label: string }[];
interface StatusDays {
  status?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** What the interface is asked for; what stands in the address and is no status is left out. */
export function statusDaysOf(statuses: Options, { status, from, to }: StatusDays) {
  const isStatus = statuses.some(({ value }) => value === status);
  return filtersOf({ ...(isStatus && { status }), from, to }, 'status', 'from', 'to');
}

interface StatusDaysFiltersProps {
  /** What all of them are called: `All refunds`. */
  all: string;
  statuses: Options;
  query: StatusDays;
  onChange: (change: StatusDays) => void;
}

/** A list by its status and the days in which it began. */
export function StatusDaysFilters({ all, statuses, query, onChange }: StatusDaysFiltersProps) {
  return (
    <>
      <SelectFilter
        label="Status"
        all={all}
        options={statuses}
        value={query.status}
        onChange={(status) => onChange({ status })}
      />
      <DaysFilter from={query.from} to={query.to} onChange={onChange} />
    </>
  );
}
