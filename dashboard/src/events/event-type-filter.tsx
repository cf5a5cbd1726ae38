import { SelectFilter } from '../components/filters.tsx';
import { EVENT_TYPES } from './event-types.ts';

interface EventTypeFilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function EventTypeFilter({ value, onChange }: EventTypeFilterProps) {
  const options = EVENT_TYPES.map((type) => ({ value: type, label: type }));
  return <SelectFilter label="Event" all="All events" options={options} value={value} onChange={onChange} />;
}
