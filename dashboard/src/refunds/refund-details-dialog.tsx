import { useAction } from '../api/action.ts';
import { AccountName, useAccountOwner, useBankOptions } from '../beneficiaries/bank-accounts.tsx';
import { Combobox } from '../components/combobox.tsx';
import { ControlledField } from '../components/controlled-field.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { PinField } from '../components/pin-field.tsx';
import { toast } from '../components/toast.tsx';
import { accountNumberOf, complainAboutAccount, MAX_ACCOUNT_TEXT } from '../format/accounts.ts';

const EMPTY = { bankCode: '', accountNumber: '', pin: '' };
type Typed = typeof EMPTY;

/** Gives the payer's account of a refund whose provider wants it. */
export function RefundDetailsDialog({ refundId, onClose }: { refundId: string; onClose: () => void }) {
  const give = useAction('post', '/collection/refund/{refundId}/details', { changes: ['/collection', '/home'] });
  const server = useServerForm<Typed>({ defaultValues: EMPTY });
  const { form } = server;
  const { options, isLoading } = useBankOptions();
  const [bankCode, accountNumber] = form.watch(['bankCode', 'accountNumber']);
  const owner = useAccountOwner(bankCode, accountNumber);

  async function send(typed: Typed): Promise<void> {
    const body = { pin: typed.pin, bankCode: typed.bankCode, accountNumber: accountNumberOf(typed.accountNumber) };
    try {
      await give.run({ path: { refundId }, body });
    } finally {
      form.resetField('pin');
    }
    toast({ tone: 'good', text: 'The account is given to the provider.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Give the payer’s account"
      description="The account that the payment came from, or another in the payer’s name. A refund goes to nobody else."
      server={server}
      onSend={send}
      send="Give the account"
    >
      <ControlledField form={form} name="bankCode" label="Bank" rules={{ required: 'Choose a bank.' }}>
        {(control) => (
          <Combobox
            {...control}
            options={options}
            placeholder={isLoading ? 'Loading the banks…' : 'Type a name, such as Access'}
            nothing="No bank with this name takes payouts."
          />
        )}
      </ControlledField>
      <div>
        <Field
          form={form}
          name="accountNumber"
          label="Account number"
          rules={{ validate: complainAboutAccount }}
          className="mb-1.5"
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              maxLength={MAX_ACCOUNT_TEXT}
              className="figures"
            />
          )}
        </Field>
        <AccountName owner={owner} />
      </div>
      <PinField form={form} />
    </FormDialog>
  );
}
