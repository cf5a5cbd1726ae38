import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { ApiError } from '../api/errors.ts';
import { Checkbox } from '../components/choices.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { PinField } from '../components/pin-field.tsx';
import { Select } from '../components/select.tsx';
import { complainAboutMoney, formatDigits, parseMoney } from '../format/money.ts';
import type { InboundPayment } from './payment-words.ts';

interface RefundForm {
  amount: string;
  note: string;
  way: '' | 'PROVIDER' | 'PAYOUT';
  isMeantTwice: boolean;
  pin: string;
}

const WAYS = [
  { value: '', label: 'As the provider allows' },
  { value: 'PROVIDER', label: 'By the provider of the payment' },
  { value: 'PAYOUT', label: 'As a payout to the payer’s account' },
];

const REPEATED =
  'The same amount was refunded to the same account a moment ago. Nothing was refunded now. Tick the box below if it is meant twice.';

interface RefundDialogProps {
  payment: InboundPayment;
  /** What is left of it, in naira. */
  refundable: number;
  onClose: () => void;
}

/** Sends a payment, or a part of it, back to its payer. */
export function RefundDialog({ payment, refundable, onClose }: RefundDialogProps) {
  const refund = useAction('post', '/collection/payment/{paymentId}/refund', { changes: ['/collection', '/wallet'] });
  const server = useServerForm<RefundForm>({
    defaultValues: { amount: formatDigits(refundable), note: '', way: '', isMeantTwice: false, pin: '' },
  });
  const { form } = server;
  const [isRepeat, setRepeat] = useState(false);

  async function send({ amount, note, way, isMeantTwice, pin }: RefundForm): Promise<void> {
    try {
      await refund.run({
        path: { paymentId: payment.paymentId },
        body: {
          pin,
          amount: parseMoney(amount) ?? 0,
          ...(note.trim() === '' ? {} : { note: note.trim() }),
          ...(way === '' ? {} : { way }),
          ...(isMeantTwice ? { allowDuplicate: true } : {}),
        },
      });
    } catch (error) {
      if (!(error instanceof ApiError) || !/^(REFUND|PAYOUT)_DUPLICATE$/.test(error.code)) throw error;
      setRepeat(true);
      throw new ApiError(REPEATED, error);
    } finally {
      form.resetField('pin');
    }
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`Refund ${payment.payer.name ?? 'the payer'}`}
      description="The amount is held at once, and goes back to the payer alone. The fee of the payment stays taken."
      server={server}
      onSend={send}
      send="Refund"
    >
      {/* What is asked about again has to be what was asked. */}
      <fieldset disabled={refund.isUnanswered} aria-label="Refund" className="flex flex-col gap-4">
        <Field
          form={form}
          name="amount"
          label="Amount"
          rules={{ validate: (text) => complainAboutMoney(text) ?? true }}
        >
          {(control) => <MoneyInput {...control} />}
        </Field>
        <Field form={form} name="note" label="Reason" hint="For your records; the provider may show it to the payer.">
          {(control) => <Input {...control} maxLength={64} />}
        </Field>
        <Field form={form} name="way" label="How it goes back">
          {(control) => <Select {...control} options={WAYS} />}
        </Field>
        {isRepeat && <Checkbox label="It is meant twice" {...form.register('isMeantTwice')} />}
      </fieldset>
      <PinField form={form} />
    </FormDialog>
  );
}
