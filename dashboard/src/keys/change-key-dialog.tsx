import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { AddressField } from './address-field.tsx';
import { parseAddresses } from './ip-addresses.ts';
import { type KeyRow, keyName } from './key-row.ts';

interface ChangeForm {
  name: string;
  allowedIps: string;
}

/** The name of a key, and from where it may be used. */
export function ChangeKeyDialog({ row, onClose }: { row: KeyRow | undefined; onClose: () => void }) {
  return row === undefined ? null : <OpenChangeKeyDialog row={row} onClose={onClose} />;
}

function OpenChangeKeyDialog({ row, onClose }: { row: KeyRow; onClose: () => void }) {
  const change = useAction('patch', '/key/{keyId}', { changes: ['/key'] });
  const server = useServerForm<ChangeForm>({
    defaultValues: { name: row.name, allowedIps: row.allowedIps.join('\n') },
  });

  async function send({ name, allowedIps }: ChangeForm): Promise<void> {
    const body = { name: name.trim(), allowedIps: parseAddresses(allowedIps) };
    await change.run({ path: { keyId: row.keyId }, body });
    toast({ tone: 'good', text: 'Saved. It counts everywhere within two seconds.' });
    onClose();
  }

  return (
    <FormDialog onClose={onClose} title={`Change ${keyName(row)}`} server={server} onSend={send} send="Save">
      <Field form={server.form} name="name" label="Name" rules={{ required: 'Give the key a name.' }}>
        {(control) => <Input {...control} maxLength={60} autoComplete="off" />}
      </Field>
      <AddressField form={server.form} name="allowedIps" />
    </FormDialog>
  );
}
