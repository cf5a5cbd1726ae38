import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Select } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import type { Merchant, RailChoice } from './merchant.ts';

interface ChooseRailsDialogProps {
  merchant: Merchant;
  choice: RailChoice;
  onClose: () => void;
}

/** Sets the rails of one merchant, or gives it back to those of all. */
export function ChooseRailsDialog({ merchant, choice, onClose }: ChooseRailsDialogProps) {
  const { merchantId, businessName } = merchant;
  const choose = useAction('post', '/operator/merchant/{merchantId}/rail', { changes: ['/operator'] });
  const { data } = useRead('/operator/rail', {});
  const isOwn = choice.chosenBy !== 'DEFAULT';
  const server = useServerForm({
    defaultValues: {
      first: isOwn ? (choice.first?.name ?? '') : '',
      second: isOwn ? (choice.second?.name ?? '') : '',
    },
  });
  const options = (data?.records ?? [])
    .filter(({ mode }) => mode === choice.mode)
    .map(({ railId, active }) => ({ value: railId, label: active ? railId : `${railId} (switched off)` }));
  const first = server.form.watch('first');

  async function send(values: { first: string; second: string }): Promise<void> {
    const body = {
      mode: choice.mode,
      first: values.first === '' ? null : values.first,
      second: values.first === '' || values.second === '' ? null : values.second,
    };
    await choose.run({ path: { merchantId }, body });
    toast({ tone: 'good', text: `The rails of ${businessName} are set.` });
    onClose();
  }

  // Drawn once the choices are there: a list without its value would show another one.
  if (data === undefined) return null;
  return (
    <FormDialog
      onClose={onClose}
      title={`Rails of ${businessName}, ${choice.mode === 'LIVE' ? 'live' : 'sandbox'}`}
      description="For payouts from now on. Those that were made before stay where they are."
      server={server}
      onSend={send}
      send="Set the rails"
    >
      <Field form={server.form} name="first" label="Pays">
        {(control) => <Select {...control} options={options} placeholder="As for all merchants" />}
      </Field>
      {first !== '' && (
        <Field
          form={server.form}
          name="second"
          label="Takes over"
          optional
          hint="Only what the first was certainly never asked, or refused for a reason of its own."
        >
          {(control) => (
            <Select {...control} options={options.filter(({ value }) => value !== first)} placeholder="None" />
          )}
        </Field>
      )}
    </FormDialog>
  );
}
