import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import type { Mode } from '../api/types.ts';
import { Checkbox } from '../components/choices.tsx';
import { ControlledField } from '../components/controlled-field.tsx';
import { Field } from '../components/field.tsx';
import { FileDrop } from '../components/file-drop.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { MerchantPicker } from '../components/merchant-picker.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { UploadProgress, useWatchedUpload } from '../components/upload-progress.tsx';
import { railsText } from '../operator/rails.ts';

/** As the service has it. */
const MAX_BYTES = 100 * 1024 * 1024;

type Values = Omit<ImportFields, 'mode'>;

/** Takes in a rail's file. One that was cut short goes on when the same file is sent again. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { data } = useRead('/operator/rail', {});
  const { fetch, watch, sent } = useWatchedUpload();
  const take = useAction('post', '/operator/settlement', { changes: ['/operator'], fetch });
  const server = useServerForm<Values>({ defaultValues: { rail: '', merchantId: '', amountsInKobo: false } });
  const [file, setFile] = useState<File>();
  const [missing, setMissing] = useState<string>();
  const rails = data?.records ?? [];
  const chosen = rails.find(({ railId }) => railId === server.form.watch('rail'));

  async function send({ rail, merchantId, amountsInKobo }: Values): Promise<void> {
    setMissing(file === undefined ? 'Choose a file.' : undefined);
    if (file === undefined || chosen === undefined) return;
    const body = formOf(file, { rail, mode: chosen.mode, merchantId, amountsInKobo });
    const { importId } = await watch(file, () => take.run({ body }));
    toast({ tone: 'good', text: 'The file is compared.' });
    await navigate({ to: '/operator/reconciliation/$importId', params: { importId } });
  }

  const options = rails.map(({ railId, mode }) => ({
    value: railId,
    label: railsText([railId], mode),
  }));
  return (
    <FormDialog
      onClose={onClose}
      title="Import a settlement file"
      description="What agrees is settled. Nothing else moves before somebody decides."
      server={server}
      onSend={send}
      send="Import"
    >
      <Field form={server.form} name="rail" label="Rail" rules={{ required: 'Choose the rail that it comes from.' }}>
        {(control) => <Select {...control} options={options} placeholder="Choose a rail" />}
      </Field>
      {chosen?.builtIn === true && (
        <ControlledField
          form={server.form}
          name="merchantId"
          label="Merchant"
          hint="The sandbox rail keeps merchants apart: whose file it is."
          rules={{ required: 'Choose a merchant.' }}
        >
          {(control) => <MerchantPicker {...control} />}
        </ControlledField>
      )}
      <FileDrop
        label={file === undefined ? 'Drop the file, or choose it' : file.name}
        hint="CSV, as the provider gives it"
        accept=".csv"
        maxBytes={MAX_BYTES}
        onFile={setFile}
        error={missing}
      />
      <Checkbox label="Its amounts are in kobo" {...server.form.register('amountsInKobo')} />
      <UploadProgress sent={sent} reading="Being compared, line by line" />
    </FormDialog>
  );
}

interface ImportFields {
  rail: string;
  mode: Mode;
  merchantId: string;
  amountsInKobo: boolean;
}

/** The file comes last: the service reads the fields before it. */
function formOf(file: File, fields: ImportFields): FormData {
  const form = new FormData();
  form.append('rail', fields.rail);
  form.append('mode', fields.mode);
  if (fields.merchantId.trim() !== '') form.append('merchantId', fields.merchantId.trim());
  if (fields.amountsInKobo) form.append('amountsInKobo', 'true');
  form.append('file', file);
  return form;
}
