import { useAction } from '../api/action.ts';
import { AccountFields } from '../beneficiaries/account-fields.tsx';
import { AccountName, useAccountOwner } from '../beneficiaries/bank-accounts.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { PinField } from '../components/pin-field.tsx';
import { toast } from '../components/toast.tsx';
import { accountNumberOf } from '../format/accounts.ts';

const EMPTY = { bankCode: '', accountNumber: '', pin: '' };
type Typed = typeof EMPTY;

/** Gives the payer's account of a refund whose provider wants it. */
export function RefundDetailsDialog({ refundId, onClose }: { refundId: string; onClose: () => void }) {
  const give = useAction('post', '/collection/refund/{refundId}/details', { changes: ['/collection', '/home'] });
  const server = useServerForm<Typed>({ defaultValues: EMPTY });
  const { form } = server;
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
      <AccountFields form={form}>
        <AccountName owner={owner} />
      </AccountFields>
      <PinField form={form} />
    </FormDialog>
  );
}
