import { useRead } from '../api/reads.ts';
import { SelectFilter } from '../components/filters.tsx';

interface PersonFilterProps {
  label: string;
  value: string | undefined;
  onChange: (personId: string | undefined) => void;
}

/** Somebody of the business, those who have left included. */
export function PersonFilter({ label, value, onChange }: PersonFilterProps) {
  const { data = [] } = useRead('/member', {});
  const options = data
    .filter(({ status }) => status !== 'INVITED')
    .map(({ personId, firstName, lastName, email }) => ({
      value: personId,
      label: `${firstName} ${lastName}`.trim() || email,
    }));
  return <SelectFilter label={label} all="Everybody" options={options} value={value} onChange={onChange} />;
}
