import { useRead } from '../api/reads.ts';
import { SelectFilter } from '../components/filters.tsx';

interface RailsFilterProps {
  rail: string | undefined;
  onChange: (rail: string | undefined) => void;
}

/** One of the rails of this service, or all. */
export function RailsFilter({ rail, onChange }: RailsFilterProps) {
  const rails = useRead('/operator/rail', {}).data?.records ?? [];
  return (
    <SelectFilter
      label="Rail"
      all="All rails"
      options={rails.map(({ railId }) => ({ value: railId, label: railId }))}
      value={rail}
      onChange={onChange}
    />
  );
}
