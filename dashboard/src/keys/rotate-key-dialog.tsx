import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Select } from '../components/inputs.tsx';
import { type KeyRow, keyName } from './key-row.ts';
import { KeyShownOnce, type ShownKey } from './key-shown-once.tsx';

const OVERLAPS = [
  { value: '86400', label: '1 day' },
  { value: '3600', label: '1 hour' },
  { value: '604800', label: '7 days' },
  { value: '0', label: 'Not at all: end it at once' },
];

/** A new key like an old one, and a time in which both work, so that nothing stops while servers change over. */
export function RotateKeyDialog({ row, onClose }: { row: KeyRow | undefined; onClose: () => void }) {
  return row === undefined ? null : <OpenRotateKeyDialog row={row} onClose={onClose} />;
}

function OpenRotateKeyDialog({ row, onClose }: { row: KeyRow; onClose: () => void }) {
  const rotate = useAction('post', '/key/{keyId}/rotate', { changes: ['/key'] });
  const server = useServerForm({ defaultValues: { overlapSeconds: '86400' } });
  const [made, setMade] = useState<ShownKey>();

  if (made !== undefined) return <KeyShownOnce made={made} onClose={onClose} />;
  return (
    <FormDialog
      onClose={onClose}
      title={`Rotate ${keyName(row)}`}
      description="You get a new key that may do the same. The old one goes on working for a while, so that you can change over in peace."
      server={server}
      onSend={async ({ overlapSeconds }) => {
        const input = { path: { keyId: row.keyId }, body: { overlapSeconds: Number(overlapSeconds) } };
        setMade(await rotate.run(input));
      }}
      send="Make the new key"
    >
      <Field form={server.form} name="overlapSeconds" label="The old key goes on working for">
        {(control) => <Select {...control} options={OVERLAPS} />}
      </Field>
    </FormDialog>
  );
}
