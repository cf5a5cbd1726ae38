import { useAction } from '../api/action.ts';
import { ControlledField } from '../components/controlled-field.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input, Textarea } from '../components/inputs.tsx';
import { MerchantPicker } from '../components/merchant-picker.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { MODES } from '../format/modes.ts';
import { complainAboutMoney, parseMoney } from '../format/money.ts';
import { lagosInstant } from '../format/time.ts';
import { TIER_OPTIONS } from './tier-words.ts';

type TierName = 'TIER_1' | 'TIER_2' | 'TIER_3';
type ModeName = 'LIVE' | 'SANDBOX';

const AMOUNTS = [
  { name: 'singleIn', label: 'Most a payment in may be' },
  { name: 'dailyIn', label: 'Most payments in of a day' },
  { name: 'balance', label: 'Most in all wallets' },
  { name: 'singleOut', label: 'Most a payout may be' },
  { name: 'dailyOut', label: 'Most payouts of a day' },
] as const;

interface TierValues extends Record<(typeof AMOUNTS)[number]['name'], string> {
  tier: TierName;
  mode: ModeName;
  effectiveFrom: string;
  reason: string;
}

const amountOf = (text: string) => (text.trim() === '' ? null : (parseMoney(text) ?? null));
const complain = (text: string) => (text.trim() === '' ? undefined : complainAboutMoney(text));

/** Dated limits of a tier: a new row replaces the one before from its start. */
export function SetTierDialog({ onClose }: { onClose: () => void }) {
  const set = useAction('post', '/operator/tier-limit', { changes: ['/operator'] });
  const server = useServerForm<TierValues>({
    defaultValues: {
      tier: 'TIER_1',
      mode: 'LIVE',
      singleIn: '',
      dailyIn: '',
      balance: '',
      singleOut: '',
      dailyOut: '',
      effectiveFrom: '',
      reason: '',
    },
  });

  async function send({ tier, mode, effectiveFrom, reason, ...amounts }: TierValues): Promise<void> {
    const { singleIn, dailyIn, balance, singleOut, dailyOut } = amounts;
    await set.run({
      body: {
        tier,
        mode,
        reason,
        singleIn: amountOf(singleIn),
        dailyIn: amountOf(dailyIn),
        balance: amountOf(balance),
        singleOut: amountOf(singleOut),
        dailyOut: amountOf(dailyOut),
        ...(effectiveFrom === '' ? {} : { effectiveFrom: lagosInstant(effectiveFrom) }),
      },
    });
    toast({ tone: 'good', text: 'The limits are set. Every process knows them within a minute.' });
    onClose();
  }

  return (
    <FormDialog
      kind="wide"
      onClose={onClose}
      title="Set a tier’s limits"
      description="All limits of the tier at once. An empty field is no limit."
      server={server}
      onSend={send}
      send="Set the limits"
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <Field form={server.form} name="tier" label="Tier">
          {(control) => <Select {...control} options={TIER_OPTIONS} />}
        </Field>
        <Field form={server.form} name="mode" label="Mode">
          {(control) => <Select {...control} options={MODES} />}
        </Field>
        <Field form={server.form} name="effectiveFrom" label="From" optional hint="Lagos time. Empty: now.">
          {(control) => <Input {...control} type="datetime-local" />}
        </Field>
        {AMOUNTS.map(({ name, label }) => (
          <Field key={name} form={server.form} name={name} label={label} optional rules={{ validate: complain }}>
            {(control) => <MoneyInput {...control} />}
          </Field>
        ))}
      </div>
      <Field
        form={server.form}
        name="reason"
        label="Source"
        hint="The rule or circular that says so."
        rules={{ required: 'Say which rule it is.' }}
      >
        {(control) => <Input {...control} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}

interface MerchantValues {
  merchantId: string;
  mode: ModeName;
  /** Empty: none. */
  tier: TierName | '';
  reason: string;
}

/** Which tier a merchant has, with why. */
export function MerchantTierDialog({ onClose }: { onClose: () => void }) {
  const set = useAction('post', '/operator/merchant/{merchantId}/tier', { changes: ['/operator'] });
  const server = useServerForm<MerchantValues>({
    defaultValues: { merchantId: '', mode: 'LIVE', tier: 'TIER_1', reason: '' },
  });

  async function send({ merchantId, mode, tier, reason }: MerchantValues): Promise<void> {
    await set.run({ path: { merchantId }, body: { mode, tier: tier === '' ? null : tier, reason } });
    toast({ tone: 'good', text: 'The tier is set. The merchant sees its limits under “Settings, Limits”.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Set a merchant’s tier"
      description="It counts within a minute; what was held before stays held."
      server={server}
      onSend={send}
      send="Set the tier"
    >
      <ControlledField
        form={server.form}
        name="merchantId"
        label="Merchant"
        rules={{ required: 'Choose the merchant.' }}
      >
        {(control) => <MerchantPicker {...control} />}
      </ControlledField>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={server.form} name="tier" label="Tier">
          {(control) => <Select {...control} options={[...TIER_OPTIONS, { value: '', label: 'None' }]} />}
        </Field>
        <Field form={server.form} name="mode" label="Mode">
          {(control) => <Select {...control} options={MODES} />}
        </Field>
      </div>
      <Field form={server.form} name="reason" label="Why" rules={{ required: 'Say why.' }}>
        {(control) => <Textarea {...control} rows={2} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}
