import type { UseFormReturn } from 'react-hook-form';
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
import {
  complainAboutLimit,
  complainAboutWindow,
  type LimitRow,
  type LimitValues,
  limitOf,
  termsInForce,
} from './limit-terms.ts';

interface SetLimitDialogProps {
  merchantId?: string | undefined;
  /** What is in force stands in the fields to begin with. */
  rows: readonly LimitRow[];
  onClose: () => void;
}

/** A dated limit, for all merchants or for one. */
export function SetLimitDialog({ merchantId = '', rows, onClose }: SetLimitDialogProps) {
  const set = useAction('post', '/operator/limit', { changes: ['/operator'] });
  const server = useServerForm<LimitValues>({
    defaultValues: {
      merchantId,
      mode: 'LIVE',
      effectiveFrom: '',
      effectiveTo: '',
      reason: '',
      ...termsInForce(rows, merchantId, 'LIVE'),
    },
    fields: { duplicateWindowSeconds: 'window' },
  });
  const { form } = server;

  function fill(): void {
    const values = form.getValues();
    form.reset({ ...values, ...termsInForce(rows, values.merchantId.trim(), values.mode) });
  }
  async function send(values: LimitValues): Promise<void> {
    await set.run({ body: limitOf(values) });
    toast({ tone: 'good', text: 'The limit is set. Every process knows it within a minute.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Set a limit"
      description="It replaces the previous limit from its start; the past does not change."
      server={server}
      onSend={send}
      send="Set the limit"
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
      <Field
        form={form}
        name="mode"
        label="Mode"
        hint="The fields below hold what is in force in it."
        rules={{ onChange: fill }}
      >
        {(control) => <Select {...control} options={MODES} />}
      </Field>
      <LimitFields form={form} />
    </FormDialog>
  );
}

const NO_LIMIT = 'Leave it empty for no limit.';

/** The limit itself: how much, from when until when, and why. */
function LimitFields({ form }: { form: UseFormReturn<LimitValues> }) {
  return (
    <>
      <Field
        form={form}
        name="perPayout"
        label="Most a payout may be"
        optional
        hint={NO_LIMIT}
        rules={{ validate: complainAboutLimit }}
      >
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field
        form={form}
        name="perDay"
        label="Most a day"
        optional
        hint={NO_LIMIT}
        rules={{ validate: complainAboutLimit }}
      >
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field
        form={form}
        name="window"
        label="Minutes in which the same payout counts as a repeat"
        hint="0: it is never held back."
        rules={{ validate: complainAboutWindow }}
      >
        {(control) => <Input {...control} inputMode="decimal" className="figures text-right" />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="effectiveFrom" label="From" optional hint="Lagos time. Empty: now.">
          {(control) => <Input {...control} type="datetime-local" />}
        </Field>
        <Field form={form} name="effectiveTo" label="Until" optional hint="Empty: until it is changed.">
          {(control) => <Input {...control} type="datetime-local" />}
        </Field>
      </div>
      <Field form={form} name="reason" label="Why" rules={{ required: 'Say why.' }}>
        {(control) => <Input {...control} maxLength={500} />}
      </Field>
    </>
  );
}
