import { useRead } from '../api/reads.ts';
import { Combobox } from '../components/combobox.tsx';
import { Labelled } from '../components/field.tsx';

export interface SavedBeneficiariesProps {
  onChoose: (beneficiary: { bankCode: string; accountNumber: string }) => void;
}

/** Accounts that were saved before. Not shown where there are none. */
export function SavedBeneficiaries({ onChoose }: SavedBeneficiariesProps) {
  const beneficiaries = useRead('/beneficiary', { query: { size: 200 } });
  const active = beneficiaries.data?.records.filter(({ status }) => status === 'ACTIVE') ?? [];
  if (active.length === 0) return null;
  const options = active.map(({ beneficiaryId, nickname, accountName, bankName, accountNumber }) => ({
    value: beneficiaryId,
    label: nickname ?? accountName,
    detail: `${nickname === null ? '' : `${accountName}, `}${bankName} ${accountNumber}`,
  }));
  return (
    <Labelled label="Saved beneficiary" optional error={undefined} hint="Fills in bank and account number.">
      {(control) => (
        <Combobox
          {...control}
          options={options}
          value=""
          placeholder="Type a name"
          nothing="Nobody of this name is saved."
          onChange={(chosen) => {
            const found = active.find(({ beneficiaryId }) => beneficiaryId === chosen);
            if (found !== undefined) onChoose(found);
          }}
        />
      )}
    </Labelled>
  );
}
