import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { PinField } from '../components/pin-field.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { complainAboutOptional, KeepField, nairaOf, typedNaira } from './keep-field.tsx';
import { SCHEDULES, type SettlementSettings } from './settlement-words.ts';

interface Values {
  schedule: SettlementSettings['schedule'];
  timeOfDay: string;
  minimum: string;
  keepInWallet: string;
  pin: string;
}

const OPTIONS = Object.entries(SCHEDULES).map(([value, label]) => ({ value, label }));

/** When collections go to the bank, and how much of them: the owner's to say, with the password and the PIN. */
export function SettingsDialog({ settings, onClose }: { settings: SettlementSettings; onClose: () => void }) {
  const change = useAction('patch', '/collection/settlement/settings', { changes: ['/collection/settlement'] });
  const server = useServerForm<Values>({
    defaultValues: {
      schedule: settings.schedule,
      timeOfDay: settings.timeOfDay,
      minimum: typedNaira(settings.minimum),
      keepInWallet: typedNaira(settings.keepInWallet),
      pin: '',
    },
  });
  const { form } = server;

  async function send({ schedule, timeOfDay, minimum, keepInWallet, pin }: Values): Promise<void> {
    const body = { schedule, timeOfDay, minimum: nairaOf(minimum), keepInWallet: nairaOf(keepInWallet), pin };
    await change.run({ body });
    toast({ tone: 'good', text: 'Saved. The owners are notified by mail.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Settlement settings"
      description="What is collected goes to the account that was reviewed. Settlements begin with the day on which they are first set up."
      server={server}
      onSend={send}
      send="Save settings"
    >
      <Field form={form} name="schedule" label="Settle">
        {(control) => <Select {...control} options={OPTIONS} />}
      </Field>
      {form.watch('schedule') === 'DAILY' && (
        <Field form={form} name="timeOfDay" label="Time of day" hint="In Lagos." rules={{ required: 'Choose a time.' }}>
          {(control) => <Input {...control} type="time" />}
        </Field>
      )}
      <Field
        form={form}
        name="minimum"
        label="Least amount"
        optional
        hint="Less waits."
        rules={{ validate: complainAboutOptional }}
      >
        {(control) => <MoneyInput {...control} />}
      </Field>
      <KeepField form={form} />
      <PinField form={form} />
    </FormDialog>
  );
}
