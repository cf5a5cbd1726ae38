import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { FileDrop } from '../components/file-drop.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { UploadProgress, useWatchedUpload } from '../components/upload-progress.tsx';
import { MODES } from '../format/modes.ts';

interface Values {
  name: string;
  mode: 'LIVE' | 'SANDBOX';
  source: string;
  listedOn: string;
}

/** As the service has it. */
const MAX_BYTES = 32 * 1024 * 1024;

/** A version of a list, from a file: whole, or not at all. */
export function ImportListDialog({ onClose }: { onClose: () => void }) {
  const { fetch, watch, sent } = useWatchedUpload();
  const load = useAction('post', '/operator/screening-list', { changes: ['/operator'], fetch });
  const server = useServerForm<Values>({ defaultValues: { name: '', mode: 'LIVE', source: '', listedOn: '' } });
  const [file, setFile] = useState<File>();
  const [missing, setMissing] = useState<string>();

  async function send(values: Values): Promise<void> {
    setMissing(file === undefined ? 'Choose the file.' : undefined);
    if (file === undefined) return;
    const { entries } = await watch(file, () => load.run({ body: formOf(file, values) }));
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
        label={file === undefined ? 'Drop the file, or choose it' : file.name}
        hint="CSV in UTF-8, up to 200,000 names and 32 MB"
        accept=".csv"
        maxBytes={MAX_BYTES}
        onFile={(chosen) => {
          setFile(chosen);
          setMissing(undefined);
        }}
        error={missing}
      />
      <UploadProgress sent={sent} reading="Being read, row by row" />
    </FormDialog>
  );
}

/** The file comes last: the service reads the fields before it. */
function formOf(file: File, values: Values): FormData {
  const form = new FormData();
  for (const name of ['name', 'mode', 'source', 'listedOn'] as const) form.append(name, values[name]);
  form.append('file', file);
  return form;
}
