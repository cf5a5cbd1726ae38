import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import type { Mode } from '../api/types.ts';
import { Combobox } from '../components/combobox.tsx';
import { ControlledField } from '../components/controlled-field.tsx';
import { NoteField } from '../components/evidence-fields.tsx';
import { Field } from '../components/field.tsx';
import { FileDrop, MAX_DOCUMENT_BYTES } from '../components/file-drop.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { useBankOptions, useWalletOf, WalletFields, type WalletValues } from '../components/wallet-fields.tsx';
import { MODES } from '../format/modes.ts';
import { complainAboutMoney, parseMoney } from '../format/money.ts';

interface Values extends WalletValues {
  mode: Mode;
  amount: string;
  bankCode: string;
  bankReference: string;
  receivedOn: string;
  payerName: string;
  note: string;
}

const EMPTY: Values = {
  mode: 'LIVE',
  accountNumber: '',
  bankOfNumber: '',
  amount: '',
  bankCode: '',
  bankReference: '',
  receivedOn: '',
  payerName: '',
  note: '',
};

/** The first of two people says what arrived, for whom, and how they know. Nothing moves by it. */
export function ProposeCreditDialog({ onClose }: { onClose: () => void }) {
  const propose = useAction('post', '/operator/merchant/{merchantId}/manual-credit', { changes: ['/operator'] });
  const server = useServerForm<Values>({ defaultValues: EMPTY, fields: { walletId: 'accountNumber' } });
  const [file, setFile] = useState<File>();
  const [missing, setMissing] = useState<string>();
  const { accountNumber, bankOfNumber, mode: chosen } = server.form.watch();
  const found = useWalletOf({ accountNumber, bankOfNumber }, chosen);
  const { wallet } = found;

  async function send(values: Values): Promise<void> {
    setMissing(file === undefined ? 'Choose the document.' : undefined);
    if (wallet === undefined) {
      server.form.setError('accountNumber', { message: found.error?.message ?? 'Wait until the wallet is shown.' });
    }
    if (file === undefined || wallet === undefined) return;
    const { merchantId, mode } = wallet;
    const proposed = await propose.run({
      path: { merchantId },
      query: { mode },
      body: formOf(file, wallet.walletId, values),
    });
    const [first] = proposed.problems;
    toast(
      first === undefined
        ? { tone: 'good', text: 'Proposed. Nothing has moved: another person approves it.' }
        : { tone: 'warn', text: `Proposed. ${first.message}` },
    );
    onClose();
  }

  return (
    <FormDialog
      kind="wide"
      onClose={onClose}
      title="Propose a manual credit"
      description="Nothing moves until another person has looked at the document and approved."
      server={server}
      onSend={send}
      send="Propose"
    >
      <Field form={server.form} name="mode" label="Mode">
        {(control) => <Select {...control} options={MODES} />}
      </Field>
      <WalletFields
        form={server.form}
        found={found}
        hint="The merchant's own, or that of a store or subaccount. Ten digits."
        isRequired
      />
      <CreditFields form={server.form} />
      <FileDrop
        label={file === undefined ? 'Drop the document, or choose it' : file.name}
        hint="What proves it, such as a page of the statement: PDF, PNG or JPEG, up to 5 MB"
        accept=".pdf,.png,.jpg,.jpeg"
        maxBytes={MAX_DOCUMENT_BYTES}
        onFile={setFile}
        error={missing}
      />
    </FormDialog>
  );
}

/** What the bank's statement has. */
function CreditFields({ form }: { form: UseFormReturn<Values> }) {
  const options = useBankOptions();
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="amount" label="Amount" rules={{ validate: complainAboutMoney }}>
          {(control) => <MoneyInput {...control} />}
        </Field>
        <Field form={form} name="receivedOn" label="Received on" rules={{ required: 'Choose the day.' }}>
          {(control) => <Input {...control} type="date" />}
        </Field>
        <ControlledField
          form={form}
          name="bankCode"
          label="Bank where it arrived"
          rules={{ required: 'Choose your bank.' }}
        >
          {(control) => <Combobox {...control} options={options} placeholder="Type a name" />}
        </ControlledField>
        <Field
          form={form}
          name="bankReference"
          label="Reference of the bank"
          rules={{ required: 'Enter the reference, as it is on the statement.' }}
        >
          {(control) => <Input {...control} maxLength={60} className="figures" />}
        </Field>
      </div>
      <Field form={form} name="payerName" label="Who paid" rules={{ required: 'Say who paid.' }}>
        {(control) => <Input {...control} maxLength={100} />}
      </Field>
      <NoteField form={form} hint="What, and where: your colleague decides by this, and it stays on record." />
    </>
  );
}

/** The file comes last: the service reads the fields before it. */
function formOf(
  file: File,
  walletId: string,
  { mode: _, accountNumber: _number, bankOfNumber: _bank, amount, ...rest }: Values,
): FormData {
  const form = new FormData();
  form.append('walletId', walletId);
  form.append('amount', String(parseMoney(amount) ?? ''));
  for (const [name, value] of Object.entries(rest)) form.append(name, value);
  form.append('file', file);
  return form;
}
