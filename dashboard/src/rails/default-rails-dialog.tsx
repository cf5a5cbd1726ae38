import { useAction } from '../api/action.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Select } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import type { Rail } from './rail.ts';

interface DefaultRailsDialogProps {
  line: Data<'get', '/operator/rail'>['defaults'][number];
  rails: readonly Rail[];
  onClose: () => void;
}

/** Which rail pays for merchants that chose none, and which takes over. */
export function DefaultRailsDialog({ line, rails, onClose }: DefaultRailsDialogProps) {
  const set = useAction('post', '/operator/rail/default', { changes: ['/operator'] });
  const server = useServerForm({ defaultValues: { first: line.first ?? '', second: line.second ?? '' } });
  const options = rails
    .filter(({ mode, active }) => mode === line.mode && active)
    .map(({ railId }) => ({ value: railId, label: railId }));

  async function send({ first, second }: { first: string; second: string }): Promise<void> {
    await set.run({ body: { mode: line.mode, first, second: second === '' ? null : second } });
    toast({ tone: 'good', text: 'The order is set.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      server={server}
      onSend={send}
      send="Set the order"
      title={`Order of rails, ${line.mode === 'LIVE' ? 'live' : 'sandbox'}`}
      description="For merchants that chose none. Payouts that were made before stay where they are."
    >
      {options.length === 0 && (
        <Alert tone="info" title="There is no rail for it yet">
          Add one on the machine, with npm run admin -- add-rail.
        </Alert>
      )}
      <Field form={server.form} name="first" label="Pays" rules={{ required: 'Choose a rail.' }}>
        {(control) => <Select {...control} options={options} placeholder="Choose a rail" />}
      </Field>
      <Field
        form={server.form}
        name="second"
        label="Takes over"
        optional
        hint="Only what the first was certainly never asked, or refused for a reason of its own."
      >
        {(control) => <Select {...control} options={options} placeholder="None" />}
      </Field>
    </FormDialog>
  );
}
