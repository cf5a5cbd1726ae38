import { useAction } from '../api/action.ts';
import type { Mode } from '../api/types.ts';
import { ControlledField } from '../components/controlled-field.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input, Textarea } from '../components/inputs.tsx';
import { MerchantPicker } from '../components/merchant-picker.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { basisPointsOf } from '../fees/fee-change.ts';
import { ALL_CHANNELS, CHANNEL_OPTIONS, channelOrNull } from '../format/channels.ts';
import { MODES } from '../format/modes.ts';
import { daysOf } from './reserve-words.ts';

interface Values {
  merchantId: string;
  mode: Mode;
  channel: string;
  /** In percent. */
  rate: string;
  days: string;
  reason: string;
}

/** A dated rule of what is kept, for all merchants or for one. */
export function SetReserveDialog({
  merchantId = '',
  onClose,
}: {
  merchantId?: string | undefined;
  onClose: () => void;
}) {
  const set = useAction('post', '/operator/reserve/rule', { changes: ['/operator'] });
  const server = useServerForm<Values>({
    defaultValues: { merchantId, mode: 'LIVE', channel: 'CARD', rate: '10', days: '90', reason: '' },
    fields: { rateBasisPoints: 'rate' },
  });
  const { form } = server;

  async function send({ merchantId: id, mode, channel, rate, days, reason }: Values): Promise<void> {
    await set.run({
      body: {
        merchantId: id === '' ? null : id,
        mode,
        channel: channelOrNull(channel),
        rateBasisPoints: basisPointsOf(rate) ?? 0,
        days: daysOf(days) ?? 0,
        reason,
      },
    });
    toast({ tone: 'good', text: 'The rule is set. It begins in two minutes.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Keep a reserve"
      description="Of payments that are credited from then on. What is kept already stays until its day. 0 % ends a reserve."
      server={server}
      onSend={send}
      send="Set the rule"
    >
      <ControlledField form={form} name="merchantId" label="Merchant">
        {(control) => <MerchantPicker {...control} all="All merchants" />}
      </ControlledField>
      <Field form={form} name="mode" label="Mode">
        {(control) => <Select {...control} options={MODES} />}
      </Field>
      <Field form={form} name="channel" label="Paid by">
        {(control) => <Select {...control} options={CHANNEL_OPTIONS} placeholder={ALL_CHANNELS} />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          form={form}
          name="rate"
          label="Percent of the payment"
          rules={{
            validate: (text) =>
              basisPointsOf(text) === undefined
                ? 'Enter a percentage from 0 to 100 with at most two decimals.'
                : undefined,
          }}
        >
          {(control) => <Input {...control} inputMode="decimal" className="figures text-right" />}
        </Field>
        <Field
          form={form}
          name="days"
          label="For so many days"
          rules={{ validate: (text) => (daysOf(text) === undefined ? 'Enter a number from 1 to 730.' : undefined) }}
        >
          {(control) => <Input {...control} inputMode="numeric" className="figures text-right" />}
        </Field>
      </div>
      <Field form={form} name="reason" label="Why" rules={{ required: 'Say why.' }}>
        {(control) => <Textarea {...control} rows={2} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}
