import { useRead } from '../api/reads.ts';
import { Combobox } from '../components/combobox.tsx';
import { Labelled } from '../components/field.tsx';

export interface SavedBeneficiariesProps {
  onChoose: (beneficiary: { bankCode: string; accountNumber: string }) => void;
}

/** Accounts that were saved before. It keeps its place where there are none, and says how there would be. */
export function SavedBeneficiaries({ onChoose }: SavedBeneficiariesProps) {
  const beneficiaries = useRead('/beneficiary', { query: { size: 200 } });
  const active = beneficiaries.data?.records.filter(({ status }) => status === 'ACTIVE') ?? [];
  const none = beneficiaries.data !== undefined && active.length === 0;
  const options = active.map(({ beneficiaryId, nickname, accountName, bankName, accountNumber }) => ({
    value: beneficiaryId,
    label: nickname ?? accountName,
    detail: `${nickname === null ? '' : `${accountName}, `}${bankName} ${accountNumber}`,
  }));
  return (
    <Labelled
      label="Saved beneficiary"
      optional
      error={undefined}
      hint={none ? 'Whom you save under Beneficiaries can be chosen here.' : 'Fills in bank and account number.'}
    >
      {(control) => (
        <Combobox
          {...control}
          options={options}
          value=""
          disabled={none}
          placeholder={none ? 'Nobody is saved yet' : 'Type a name'}
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
