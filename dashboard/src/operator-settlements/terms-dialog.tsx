import { useAction } from '../api/action.ts';
import type { Mode } from '../api/types.ts';
import { ControlledField } from '../components/controlled-field.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { MerchantPicker } from '../components/merchant-picker.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { complainAboutMoney, formatDigits, parseMoney } from '../format/money.ts';
import { inForce, type Terms } from './terms-in-force.tsx';

interface Values {
  merchantId: string;
  mode: Mode;
  settle: 'ON' | 'OFF';
  minimum: string;
  hours: string;
  reason: string;
}

const MODES = [
  { value: 'LIVE', label: 'Live' },
  { value: 'SANDBOX', label: 'Sandbox' },
];
const SWITCH = [
  { value: 'ON', label: 'Switched on' },
  { value: 'OFF', label: 'Switched off: nothing is settled' },
];
const HOURS = { value: /^\d{1,3}$/, message: 'Enter hours, 0 to 720.' };

function valuesOf(terms: readonly Terms[], mode: Mode, merchantId: string) {
  const now = inForce(terms, mode, merchantId === '' ? null : merchantId);
  return {
    settle: now?.enabled === false ? ('OFF' as const) : ('ON' as const),
    minimum: formatDigits(now?.minimum ?? 1_000),
    hours: String(Math.round((now?.coolingOffSeconds ?? 86_400) / 3600)),
  };
}

/** Dated terms of settlements, for all merchants or for one. */
export function TermsDialog({ terms, onClose }: { terms: readonly Terms[]; onClose: () => void }) {
  const set = useAction('post', '/operator/settlement-terms', { changes: ['/operator'] });
  const server = useServerForm<Values>({
    defaultValues: { merchantId: '', mode: 'LIVE', reason: '', ...valuesOf(terms, 'LIVE', '') },
    fields: { coolingOffSeconds: 'hours', enabled: 'settle' },
  });
  const { form } = server;

  function fill(): void {
    const values = form.getValues();
    form.reset({ ...values, ...valuesOf(terms, values.mode, values.merchantId.trim()) });
  }
  async function send({ merchantId, mode, settle, minimum, hours, reason }: Values): Promise<void> {
    await set.run({
      body: {
        merchantId: merchantId.trim() === '' ? null : merchantId.trim(),
        mode,
        enabled: settle === 'ON',
        minimum: parseMoney(minimum) ?? 0,
        coolingOffSeconds: Number(hours) * 3600,
        reason,
      },
    });
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
