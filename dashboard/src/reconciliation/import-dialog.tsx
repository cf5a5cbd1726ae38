import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useAction } from '../api/action.ts';
import { watchUpload } from '../api/files.ts';
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
import { Progress } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import { formatBytes } from '../format/text.ts';
import { railsText } from '../operator/rails.ts';

/** As the service has it. */
const MAX_BYTES = 100 * 1024 * 1024;

type Values = Omit<ImportFields, 'mode'>;

/** Takes in a rail's file. One that was cut short goes on when the same file is sent again. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { data } = useRead('/operator/rail', {});
  const take = useImport();
  const server = useServerForm<Values>({ defaultValues: { rail: '', merchantId: '', amountsInKobo: false } });
  const [file, setFile] = useState<File>();
  const [missing, setMissing] = useState<string>();
  const rails = data?.records ?? [];
  const chosen = rails.find(({ railId }) => railId === server.form.watch('rail'));

  async function send({ rail, merchantId, amountsInKobo }: Values): Promise<void> {
    setMissing(file === undefined ? 'Choose a file.' : undefined);
    if (file === undefined || chosen === undefined) return;
    const importId = await take.send(file, { rail, mode: chosen.mode, merchantId, amountsInKobo });
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
      {take.sent !== undefined && <OnItsWay sent={take.sent} />}
    </FormDialog>
  );
}

/** First the bytes go, then the lines are compared, which takes a while for a large file. */
function OnItsWay({ sent: { bytes, total } }: { sent: NonNullable<Import['sent']> }) {
  const isThere = bytes >= total;
  return (
    <div role="status">
      <Progress
        label={isThere ? 'Being compared, line by line' : 'Being sent'}
        done={bytes}
        total={total}
        text={isThere ? undefined : `${formatBytes(bytes)} of ${formatBytes(total)}`}
      />
    </div>
  );
}

interface ImportFields {
  rail: string;
  mode: Mode;
  merchantId: string;
  amountsInKobo: boolean;
}

interface Import {
  /** Sends the file and gives the id of the import when all of it is compared. @throws ApiError */
  send(file: File, fields: ImportFields): Promise<string>;
  /** Bytes on their way, and of how many; undefined while nothing is sent. */
  sent: { bytes: number; total: number } | undefined;
}

/** A settlement file on its way to being compared. */
function useImport(): Import {
  const [sent, setSent] = useState<Import['sent']>();
  const fetch = useMemo(() => watchUpload((bytes, total) => setSent({ bytes, total: total ?? bytes })), []);
  const take = useAction('post', '/operator/settlement', { changes: ['/operator'], fetch });

  async function send(file: File, fields: ImportFields): Promise<string> {
    setSent({ bytes: 0, total: file.size });
    try {
      return (await take.run({ body: formOf(file, fields) })).importId;
    } finally {
      setSent(undefined);
    }
  }
  return { send, sent };
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
