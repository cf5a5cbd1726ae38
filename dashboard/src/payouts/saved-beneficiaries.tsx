import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { Combobox, type Option } from '../components/combobox.tsx';
import { Labelled } from '../components/field.tsx';
import { usePause } from '../components/use-pause.ts';

type Beneficiary = RecordOf<'/beneficiary'>;

/** So many are read at once, and found in the page; where there are more, the service looks for them. */
const READ_AT_ONCE = 200;
const MOST_SHOWN = 60;
/** As the service takes it. */
const MOST_CHARACTERS = 80;

export interface SavedBeneficiariesProps {
  onChoose: (beneficiary: { bankCode: string; accountNumber: string }) => void;
}

/** Accounts that were saved before. It keeps its place where there are none, and says how there would be. */
export function SavedBeneficiaries({ onChoose }: SavedBeneficiariesProps) {
  const { active, isRead, search } = useBeneficiaries();
  const none = isRead && active.length === 0 && search === undefined;
  return (
    <Labelled
      label="Saved beneficiary"
      optional
      error={undefined}
      hint={none ? 'Saved beneficiaries can be chosen here.' : 'Fills in bank and account number.'}
    >
      {(control) => (
        <Combobox
          {...control}
          {...search}
          options={active.map(optionOf)}
          value=""
          disabled={none}
          placeholder={none ? 'None is saved yet' : 'Type a name'}
          nothing="No saved beneficiary matches."
          onChange={(chosen) => {
            const found = active.find(({ beneficiaryId }) => beneficiaryId === chosen);
            if (found !== undefined) onChoose(found);
          }}
        />
      )}
    </Labelled>
  );
}

/** Those that can be paid, and `search` where they are more than are read at once. */
function useBeneficiaries() {
  const [typed, setTyped] = useState('');
  const paused = usePause(typed);
  const first = useRead('/beneficiary', { query: { size: READ_AT_ONCE } });
  const isMore = typeof first.data?.nextCursor === 'string';
  const wanted = paused.trim().slice(0, MOST_CHARACTERS);
  const isLooked = isMore && typed.trim() !== '';
  const found = useRead(
    '/beneficiary',
    { query: { size: MOST_SHOWN, search: wanted } },
    { enabled: isLooked && wanted !== '', placeholderData: keepPreviousData },
  );
  const records = (isLooked ? found : first).data?.records ?? [];
  const active = records.filter(({ status }) => status === 'ACTIVE');
  const isSearching = isLooked && (typed !== paused || found.isPlaceholderData || found.isPending);
  return {
    active: isMore ? active.slice(0, MOST_SHOWN) : active,
    isRead: first.data !== undefined,
    search: isMore ? { onType: (text: string | undefined) => setTyped(text ?? ''), isSearching } : undefined,
  };
}

const optionOf = ({ beneficiaryId, nickname, accountName, bankName, accountNumber }: Beneficiary): Option => ({
  value: beneficiaryId,
  label: nickname ?? accountName,
  detail: `${nickname === null ? '' : `${accountName}, `}${bankName} ${accountNumber}`,
});
