import { keepPreviousData } from '@tanstack/react-query';
import { type Ref, useId, useState } from 'react';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Combobox, type Option } from './combobox.tsx';
import type { ControlProps } from './field.tsx';
import { usePause } from './use-pause.ts';

type Choice = Data<'get', '/operator/merchant-choice'>['merchants'][number];

const STATES: Partial<Record<Choice['status'], string>> = { PENDING: 'not approved', SUSPENDED: 'suspended' };

const optionOf = ({ merchantId, businessName, email, status }: Choice): Option => ({
  value: merchantId,
  label: businessName,
  detail: STATES[status] === undefined ? email : `${email}, ${STATES[status]}`,
});

export interface MerchantPickerProps extends Partial<ControlProps> {
  /** The id of a merchant; empty: none is chosen. */
  value: string;
  onChange: (merchantId: string) => void;
  onBlur?: () => void;
  /** What it means that none is chosen: "All merchants". Without it one has to be. */
  all?: string;
  ref?: Ref<{ focus: () => void }>;
}

/** A merchant, found by the beginning of a word of its name or address, by an id, an account number or a reference. */
export function MerchantPicker({ value, onChange, all, ...control }: MerchantPickerProps) {
  const [typed, setTyped] = useState<string>();
  const wanted = usePause(typed ?? '');
  const found = useRead(
    '/operator/merchant-choice',
    { query: wanted.trim() === '' ? {} : { search: wanted } },
    { enabled: typed !== undefined, placeholderData: keepPreviousData },
  );
  const chosen = useRead('/operator/merchant-choice', { query: { search: value } }, { enabled: value !== '' });
  const none: Option[] = all === undefined ? [] : [{ value: '', label: all }];
  const [known] = chosen.data?.merchants ?? [];
  return (
    <Combobox
      {...control}
      value={value}
      onChange={onChange}
      options={[
        ...(typed === undefined || typed.trim() === '' ? none : []),
        ...(found.data?.merchants ?? []).map(optionOf),
      ]}
      chosen={value === '' ? none[0] : known === undefined ? { value, label: value } : optionOf(known)}
      onType={setTyped}
      isSearching={typed !== undefined && (typed !== wanted || found.isPlaceholderData || found.isPending)}
      placeholder="Name, e-mail or reference"
      nothing={found.error === null ? 'No merchant fits.' : found.error.message}
    />
  );
}

interface MerchantFilterProps {
  value: string | undefined;
  onChange: (merchantId: string | undefined) => void;
}

/** Above a list: of one merchant, or of all. */
export function MerchantFilter({ value, onChange }: MerchantFilterProps) {
  const id = useId();
  return (
    <div className="sm:min-w-64">
      <label htmlFor={id} className="mb-1 block text-xs text-muted">
        Merchant
      </label>
      <MerchantPicker
        id={id}
        all="All merchants"
        value={value ?? ''}
        onChange={(next) => onChange(next === '' ? undefined : next)}
      />
    </div>
  );
}
