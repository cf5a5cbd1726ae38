import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import type { Mode } from '../api/types.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Checkbox, ChoiceGroup, Input, Select } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';

interface Values {
  mode: Mode;
  rails: string[];
  merchantId: string;
}

const MODES = [
  { value: 'LIVE', label: 'Live' },
  { value: 'SANDBOX', label: 'Sandbox' },
];

/** Asks the rails of one mode for their balance, together: the books keep one float for all of them. */
export function CompareDialog({ onClose }: { onClose: () => void }) {
  const compare = useAction('post', '/operator/float/check', { changes: ['/operator'] });
  const { data } = useRead('/operator/rail', {});
  const server = useServerForm<Values>({ defaultValues: { mode: 'LIVE', rails: [], merchantId: '' } });
  const mode = server.form.watch('mode');
  const rails = data?.records.filter((rail) => rail.mode === mode) ?? [];

  async function send(values: Values): Promise<void> {
    const known = values.rails.filter((name) => rails.some(({ railId }) => railId === name));
    if (known.length === 0) {
      server.form.setError('rails', { message: 'Choose at least one rail.' });
      return;
    }
    const merchantId = values.merchantId.trim() === '' ? null : values.merchantId.trim();
    await compare.run({ body: { mode: values.mode, rails: known, merchantId } });
    toast({ tone: 'good', text: 'Compared, and kept.' });
    onClose();
  }

  const problem = server.form.formState.errors.rails?.message;
  return (
    <FormDialog
      onClose={onClose}
      title="Compare the float"
      description="Choose every rail that pays in the mode: the books keep one float for all of them."
      server={server}
      onSend={send}
      send="Compare"
    >
      <Field form={server.form} name="mode" label="Mode">
        {(control) => <Select {...control} options={MODES} />}
      </Field>
      <ChoiceGroup legend="Rails">
        {rails.map(({ railId }) => (
          <Checkbox key={railId} value={railId} label={railId} {...server.form.register('rails')} />
        ))}
        {rails.length === 0 && (
          <p className="text-sm text-muted">No rail pays in this mode. Add one with npm run admin -- add-rail.</p>
        )}
        {problem !== undefined && (
          <p role="alert" className="text-xs font-medium text-bad">
            {problem}
          </p>
        )}
      </ChoiceGroup>
      {mode === 'SANDBOX' && (
        <Field
          form={server.form}
          name="merchantId"
          label="Merchant"
          hint="The sandbox rail keeps each merchant's play money apart: the id of one merchant."
          rules={{ required: 'Enter the id of a merchant.' }}
        >
          {(control) => <Input {...control} />}
        </Field>
      )}
    </FormDialog>
  );
}
