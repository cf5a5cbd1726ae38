import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import type { Mode } from '../api/types.ts';
import { Checkbox } from '../components/choices.tsx';
import { Field } from '../components/field.tsx';
import { FileDrop } from '../components/file-drop.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { parseMoney } from '../format/money.ts';
import { NO_SETTLEMENT, SettlementFields, type SettlementValues } from './settlement-fields.tsx';

/** As the service has it. */
const MAX_BYTES = 100 * 1024 * 1024;

interface Values extends SettlementValues {
  cutOff: string;
  amountsInKobo: boolean;
}

/** Records what a provider settled. A file that was cut short goes on when it is sent again. */
export function RecordDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { data } = useRead('/operator/rail', {});
  const take = useAction('post', '/operator/provider-settlement', { changes: ['/operator'] });
  const server = useServerForm<Values>({
    defaultValues: { ...NO_SETTLEMENT, cutOff: '', amountsInKobo: false },
  });
  const { form } = server;
  const [file, setFile] = useState<File>();
  const [missing, setMissing] = useState<string>();
  const rails = data?.records ?? [];
  const chosen = rails.find(({ railId }) => railId === form.watch('rail'));

  async function send(values: Values): Promise<void> {
    setMissing(file === undefined ? 'Choose a file.' : undefined);
    if (file === undefined || chosen === undefined) return;
    const { settlementId } = await take.run({ body: formOf(file, chosen.mode, values) });
    toast({ tone: 'good', text: 'The settlement is recorded. Nothing is posted before a colleague applies it.' });
    await navigate({ to: '/operator/provider-settlements/$settlementId', params: { settlementId } });
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Record a settlement"
      description="Its lines are compared with the payments in. Nothing is posted before another person applies it."
      server={server}
      onSend={send}
      send="Record"
    >
      <SettlementFields form={form} rails={rails} />
      <Field
        form={form}
        name="cutOff"
        label="Covers payments until the end of"
        optional
        hint="Payments that were confirmed by then have to be in the file."
      >
        {(control) => <Input {...control} type="date" />}
      </Field>
      <FileDrop
        label={file === undefined ? 'Drop the file, or choose it' : file.name}
        hint="CSV: transaction id, gross, fee, net"
        accept=".csv"
        maxBytes={MAX_BYTES}
        onFile={setFile}
        error={missing}
      />
      <Checkbox label="Its amounts are in kobo" {...form.register('amountsInKobo')} />
    </FormDialog>
  );
}

/** The file comes last: the service reads the fields before it. */
function formOf(
  file: File,
  mode: Mode,
  { rail, reference, lumpSum, settledOn, cutOff, amountsInKobo }: Values,
): FormData {
  const form = new FormData();
  form.append('rail', rail);
  form.append('mode', mode);
  form.append('reference', reference);
  form.append('lumpSum', String(parseMoney(lumpSum) ?? ''));
  form.append('settledOn', settledOn);
  if (cutOff !== '') form.append('cutOff', cutOff);
  if (amountsInKobo) form.append('amountsInKobo', 'true');
  form.append('file', file);
  return form;
}
