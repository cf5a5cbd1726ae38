import { SelectFilter } from '../components/filters.tsx';
import { useApiDocument } from './api-document.ts';

interface EventTypeFilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** The types of events, as the API document of this installation lists them. */
export function EventTypeFilter({ value, onChange }: EventTypeFilterProps) {
  const { data } = useApiDocument();
  const types = data === undefined ? (value === undefined ? [] : [value]) : Object.keys(data.webhooks);
  const options = types.map((type) => ({ value: type, label: type }));
  return <SelectFilter label="Event" all="All events" options={options} value={value} onChange={onChange} />;
}
