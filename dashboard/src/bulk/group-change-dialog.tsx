import { useState } from 'react';
import { useBankOptions } from '../beneficiaries/bank-accounts.tsx';
import { Button } from '../components/button.tsx';
import { Combobox } from '../components/combobox.tsx';
import { Dialog } from '../components/dialog.tsx';
import type { GroupChange } from './group-words.ts';

/** Fields that all rows of a group may be given one value of. */
export type SharedField = 'bankCode' | 'narration' | 'phoneNumber';

const LABELS: Readonly<Record<SharedField, string>> = {
  bankCode: 'Bank',
  narration: 'Narration',
  phoneNumber: 'Phone number',
};

export interface GroupChangeDialogProps {
  field: SharedField;
  title: string;
  onClose: () => void;
  onChoose: (change: GroupChange) => void;
}

/** One value for all rows of a group. */
export function GroupChangeDialog({ field, title, onClose, onChoose }: GroupChangeDialogProps) {
  const [value, setValue] = useState('');
  const { options } = useBankOptions();
  const label = `${LABELS[field]} for all`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          {field === 'phoneNumber' && (
            <Button onClick={() => onChoose({ phoneNumber: null })}>Remove the numbers</Button>
          )}
          <Button look="primary" disabled={value.trim() === ''} onClick={() => onChoose({ [field]: value.trim() })}>
            Set for all
          </Button>
        </>
      }
    >
      {field === 'bankCode' ? (
        // Room for the banks that are found: the list lies in the dialog.
        <div style={{ minHeight: '20rem' }}>
          <Combobox
            label={label}
            options={options}
            value={value}
            onChange={setValue}
            placeholder="Search by name or code"
            nothing="No bank has this name or code."
          />
        </div>
      ) : (
        <input
          aria-label={label}
          className="control"
          maxLength={field === 'narration' ? 100 : 20}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      )}
    </Dialog>
  );
}
