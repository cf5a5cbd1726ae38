import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { FileDrop } from '../components/file-drop.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';

interface Values {
  name: string;
  mode: 'LIVE' | 'SANDBOX';
  source: string;
  listedOn: string;
}

const MODES = [
  { value: 'LIVE', label: 'Live' },
  { value: 'SANDBOX', label: 'Sandbox' },
];
const MAX_BYTES = 14 * 1024 * 1024;

/** A version of a list, from a file: whole, or not at all. */
export function ImportListDialog({ onClose }: { onClose: () => void }) {
  const load = useAction('post', '/operator/screening-list', { changes: ['/operator'] });
  const server = useServerForm<Values>({ defaultValues: { name: '', mode: 'LIVE', source: '', listedOn: '' } });
  const [file, setFile] = useState<File>();
  const [complaint, setComplaint] = useState<string>();

  async function send(values: Values): Promise<void> {
    if (file === undefined) {
      setComplaint('Choose the file.');
      return;
    }
    const { entries } = await load.run({ body: { ...values, csv: await file.text() } });
    toast({ tone: 'good', text: `${entries.toLocaleString('en')} names are in force.` });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Import a list"
      description="CSV with a column “name”, and if you have them “aliases” (with semicolons), “account_number”, “bank_code”."
      server={server}
      onSend={send}
      send="Import it"
    >
      <Field form={server.form} name="name" label="Name of the list" rules={{ required: 'Name the list.' }}>
        {(control) => <Input {...control} maxLength={100} />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={server.form} name="mode" label="Mode">
          {(control) => <Select {...control} options={MODES} />}
        </Field>
        <Field form={server.form} name="listedOn" label="Day of the list" rules={{ required: 'Choose the day.' }}>
          {(control) => <Input {...control} type="date" />}
        </Field>
      </div>
      <Field form={server.form} name="source" label="Source" rules={{ required: 'Say where it is from.' }}>
        {(control) => <Input {...control} maxLength={300} />}
      </Field>
      <FileDrop
        label={file === undefined ? 'Choose the file' : file.name}
        hint="CSV, up to 200,000 names"
        accept=".csv"
        maxBytes={MAX_BYTES}
        onFile={(chosen) => {
          setFile(chosen);
          setComplaint(undefined);
        }}
        error={complaint}
      />
    </FormDialog>
  );
}
