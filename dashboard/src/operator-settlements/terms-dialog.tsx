import { useAction } from '../api/action.ts';
import { ControlledField } from '../components/controlled-field.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { MerchantPicker } from '../components/merchant-picker.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { MODES } from '../format/modes.ts';
import { complainAboutMoney } from '../format/money.ts';
import { type Terms, type TermsValues, termsOf, valuesOf } from './settlement-terms.ts';

const SWITCH = [
  { value: 'ON', label: 'Switched on' },
  { value: 'OFF', label: 'Switched off: nothing is settled' },
];
const HOURS = { value: /^\d{1,3}(\.\d{1,2})?$/, message: 'Enter hours, 0 to 720, such as 24 or 1.5.' };

/** Dated terms of settlements, for all merchants or for one. */
export function TermsDialog({ terms, onClose }: { terms: readonly Terms[]; onClose: () => void }) {
  const set = useAction('post', '/operator/settlement-terms', { changes: ['/operator'] });
  const server = useServerForm<TermsValues>({
    defaultValues: { merchantId: '', mode: 'LIVE', reason: '', ...valuesOf(terms, 'LIVE', '') },
    fields: { coolingOffSeconds: 'hours', enabled: 'settle' },
  });
  const { form } = server;

  function fill(): void {
    const values = form.getValues();
    form.reset({ ...values, ...valuesOf(terms, values.mode, values.merchantId.trim()) });
  }
  async function send(values: TermsValues): Promise<void> {
    await set.run({ body: termsOf(values, terms) });
    toast({ tone: 'good', text: 'The terms are set. They count at once.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Terms of settlements"
      description="They count from now on; what was settled before stays as it is."
      server={server}
      onSend={send}
      send="Set the terms"
    >
      <ControlledField form={form} name="merchantId" label="Merchant">
        {({ onChange, ...control }) => (
          <MerchantPicker
            {...control}
            all="All merchants"
            onChange={(next) => {
              onChange(next);
              fill();
            }}
          />
        )}
      </ControlledField>
      <Field form={form} name="mode" label="Mode" rules={{ onChange: fill }}>
        {(control) => <Select {...control} options={MODES} />}
      </Field>
      <Field form={form} name="settle" label="Settlements">
        {(control) => <Select {...control} options={SWITCH} />}
      </Field>
      <Field
        form={form}
        name="minimum"
        label="Least amount"
        rules={{ validate: (text: string) => complainAboutMoney(text) ?? true }}
      >
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field
        form={form}
        name="hours"
        label="Hours of cooling-off"
        hint="After another settlement account was accepted."
        rules={{ pattern: HOURS }}
      >
        {(control) => <Input {...control} inputMode="numeric" className="figures max-w-32 text-right" />}
      </Field>
      <Field form={form} name="reason" label="Why" rules={{ required: 'Say why.' }}>
        {(control) => <Input {...control} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}
