import { Settings2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { Checkbox } from '../components/choices.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';

type Settings = Data<'get', '/request-log/settings'>;

/** Says whether bodies are kept, and lets owners and administrators change it. */
export function BodySettingsButton() {
  const mode = useMode();
  const mayChange = useMay()('request:manage', mode);
  const { data } = useRead('/request-log/settings', {});
  const [open, setOpen] = useState(false);
  if (data === undefined || !mayChange) return null;
  return (
    <>
      <Button icon={Settings2} onClick={() => setOpen(true)}>
        Bodies: {data.keepBodies ? daysOf(data.keepDays) : 'not kept'}
      </Button>
      {open && <BodySettingsDialog settings={data} onClose={() => setOpen(false)} />}
    </>
  );
}

const daysOf = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

function BodySettingsDialog({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const mode = useMode();
  const change = useAction('patch', '/request-log/settings', { changes: ['/request-log'] });
  const server = useServerForm({
    defaultValues: { keepBodies: settings.keepBodies, keepDays: String(settings.keepDays) },
  });

  async function send({ keepBodies, keepDays }: { keepBodies: boolean; keepDays: string }): Promise<void> {
    await change.run({ body: { keepBodies, keepDays: Number(keepDays) } });
    toast({
      tone: 'good',
      text: keepBodies ? 'Saved. It counts from the next request on.' : 'Bodies are not kept any more.',
    });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      server={server}
      onSend={send}
      send="Save"
      title={mode === 'LIVE' ? 'Bodies of live requests' : 'Bodies of sandbox requests'}
      description="What programs send and are answered, for whoever looks for a mistake. PINs, secrets and personal data are left out before anything is written; of account numbers the last four digits stay."
    >
      <Checkbox
        label="Keep bodies"
        hint="Switched off, what is kept is removed within a minute."
        {...server.form.register('keepBodies')}
      />
      <Field
        form={server.form}
        name="keepDays"
        label="For how many days"
        hint="From 1 to 7."
        rules={{ validate: (days: string) => /^[1-7]$/.test(days) || 'Enter a number from 1 to 7.' }}
      >
        {(control) => <Input {...control} inputMode="numeric" maxLength={1} className="max-w-24" />}
      </Field>
    </FormDialog>
  );
}
