import { filtersOf } from '../api/list-search.ts';
import { DayFilter, SelectFilter } from '../components/filters.tsx';

const DAY = /^\d{4}-\d\d-\d\d$/;

type Options = readonly { value: string; label: string }[];
interface StatusDays {
  status?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** What the interface is asked for; what stands in the address and is no status or day is left out. */
export function statusDaysOf(statuses: Options, { status, from, to }: StatusDays) {
  const isStatus = statuses.some(({ value }) => value === status);
  const days = { ...(DAY.test(from ?? '') && { from }), ...(DAY.test(to ?? '') && { to }) };
  return filtersOf({ ...(isStatus && { status }), ...days }, 'status', 'from', 'to');
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
      <DayFilter label="From" value={query.from} onChange={(from) => onChange({ from })} />
      <DayFilter label="To" value={query.to} onChange={(to) => onChange({ to })} />
    </>
  );
}
