import { useRead } from '../api/reads.ts';
import { SelectFilter } from '../components/filters.tsx';

/** The rails that pay for the merchant, and the one in the address where it is none of them any more. */
export function RailFilter({
  rail,
  onChange,
}: {
  rail: string | undefined;
  onChange: (rail: string | undefined) => void;
}) {
  const { data } = useRead('/payout/rail', {}, { staleTime: 300_000, retry: false });
  const chosen = [data?.first?.name, data?.second?.name, ...(data?.available ?? []).map((one) => one.name), rail];
  const names = [...new Set(chosen.filter((name) => name !== undefined))];
  if (names.length === 0) return null;
  return (
    <SelectFilter
      label="Rail"
      all="All rails"
      options={names.map((name) => ({ value: name, label: name }))}
      value={rail}
      onChange={onChange}
    />
  );
}
