import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { Combobox } from '../components/combobox.tsx';
import { ControlledField } from '../components/controlled-field.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input, Textarea } from '../components/inputs.tsx';
import { MerchantPicker } from '../components/merchant-picker.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { useBankOptions } from '../components/wallet-fields.tsx';
import { accountNumberOf, MAX_ACCOUNT_TEXT } from '../format/accounts.ts';
import { MODES } from '../format/modes.ts';
import { lagosInstant } from '../format/time.ts';
import { FREEZE_SUBJECTS, type Freeze } from './compliance-words.ts';

interface Values {
  mode: 'LIVE' | 'SANDBOX';
  subject: Freeze['subject'];
  bankCode: string;
  accountNumber: string;
  payerName: string;
  reference: string;
  merchantId: string;
  reason: string;
  legalBasis: string;
  owner: string;
  /** As a field has it, in Lagos time; empty: until it is lifted. */
  endsAt: string;
}

const SUBJECTS = Object.entries(FREEZE_SUBJECTS).map(([value, label]) => ({ value, label }));

/** Which fields each kind of freeze has. */
const NAMES: Record<Values['subject'], readonly (keyof Values)[]> = {
  ACCOUNT: ['bankCode', 'accountNumber'],
  PAYER: ['payerName', 'accountNumber'],
  REFERENCE: ['reference'],
  MERCHANT: ['merchantId'],
};

function bodyOf(values: Values) {
  const { mode, subject, reason, legalBasis, owner, endsAt } = values;
  const named = NAMES[subject].flatMap((name) => {
    const value = name === 'accountNumber' ? accountNumberOf(values[name]) : String(values[name]).trim();
    return value === '' ? [] : [[name, value]];
  });
  const until = endsAt === '' ? {} : { endsAt: lagosInstant(endsAt) };
  return { mode, subject, ...Object.fromEntries(named), reason, legalBasis, owner, ...until };
}

/** Freezes at once; a second person is needed only to lift it. */
export function MakeFreezeDialog({ onClose }: { onClose: () => void }) {
  const make = useAction('post', '/operator/freeze', { changes: ['/operator'] });
  const server = useServerForm<Values>({
    defaultValues: {
      mode: 'LIVE',
      subject: 'ACCOUNT',
      bankCode: '',
      accountNumber: '',
      payerName: '',
      reference: '',
      merchantId: '',
      reason: '',
      legalBasis: '',
      owner: '',
      endsAt: '',
    },
  });

  async function send(values: Values): Promise<void> {
    await make.run({ body: bodyOf(values) });
    toast({ tone: 'good', text: 'It is frozen. Every process knows it within seconds.' });
    onClose();
  }

  return (
    <FormDialog
      kind="wide"
      onClose={onClose}
      title="Freeze"
      description="It holds at once. Two people lift it. What has left before is not called back."
      server={server}
      onSend={send}
      send="Freeze"
      danger
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={server.form} name="subject" label="What">
          {(control) => <Select {...control} options={SUBJECTS} />}
        </Field>
        <Field form={server.form} name="mode" label="Mode">
          {(control) => <Select {...control} options={MODES} />}
        </Field>
      </div>
      <SubjectFields form={server.form} />
      <Field form={server.form} name="reason" label="Why" rules={{ required: 'Say why.' }}>
        {(control) => <Textarea {...control} rows={2} maxLength={500} />}
      </Field>
      <Field
        form={server.form}
        name="legalBasis"
        label="Legal basis"
        hint="The order, letter or law."
        rules={{ required: 'Say by which order or law.' }}
      >
        {(control) => <Input {...control} maxLength={500} />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={server.form} name="owner" label="Owner" rules={{ required: 'Say who is responsible.' }}>
          {(control) => <Input {...control} maxLength={200} />}
        </Field>
        <Field form={server.form} name="endsAt" label="Until" optional hint="Lagos time. Empty: until it is lifted.">
          {(control) => <Input {...control} type="datetime-local" />}
        </Field>
      </div>
    </FormDialog>
  );
}

/** What is frozen, by its kind. */
function SubjectFields({ form }: { form: UseFormReturn<Values> }) {
  const subject = form.watch('subject');
  const options = useBankOptions();
  const isPayer = subject === 'PAYER';
  if (subject === 'MERCHANT') {
    return (
      <ControlledField form={form} name="merchantId" label="Merchant" rules={{ required: 'Choose the merchant.' }}>
        {(control) => <MerchantPicker {...control} />}
      </ControlledField>
    );
  }
  if (subject === 'REFERENCE') {
    return (
      <Field
        form={form}
        name="reference"
        label="Reference"
        hint="An id of ours, the provider’s or the network’s session id."
        rules={{ required: 'Give the reference.' }}
      >
        {(control) => <Input {...control} maxLength={200} />}
      </Field>
    );
  }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {isPayer ? (
        <Field form={form} name="payerName" label="Payer’s name" rules={{ required: 'Give the name.' }}>
          {(control) => <Input {...control} maxLength={200} />}
        </Field>
      ) : (
        <ControlledField form={form} name="bankCode" label="Bank" rules={{ required: 'Choose the bank.' }}>
          {(control) => <Combobox {...control} options={options} placeholder="Type a name" />}
        </ControlledField>
      )}
      <Field
        form={form}
        name="accountNumber"
        label="Account number"
        optional={isPayer}
        rules={isPayer ? {} : { required: 'Give the account number.' }}
      >
        {(control) => <Input {...control} inputMode="numeric" maxLength={MAX_ACCOUNT_TEXT} />}
      </Field>
    </div>
  );
}
