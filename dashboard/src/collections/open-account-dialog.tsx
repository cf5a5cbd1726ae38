import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { useList } from '../api/reads.ts';
import { ChoiceGroup, Radio } from '../components/choices.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { accountNumberOf, MAX_ACCOUNT_TEXT } from '../format/accounts.ts';
import { WalletField } from './wallet-field.tsx';

interface OpenForm {
  search: string;
  customerId: string;
  walletId: string;
  bvn: string;
  nin: string;
}

interface OpenAccountDialogProps {
  /** Undefined: it is chosen here. */
  customer: { customerId: string; name: string } | undefined;
  onClose: () => void;
}

/** They are copied as account numbers are: with spaces, and whole. */
const ELEVEN_DIGITS = (typed: string) =>
  typed.trim() === '' || /^\d{11}$/.test(accountNumberOf(typed)) || 'Enter 11 digits.';

/** Asks for an account number for one customer. */
export function OpenAccountDialog({ customer, onClose }: OpenAccountDialogProps) {
  const server = useServerForm<OpenForm>({
    defaultValues: { search: '', customerId: customer?.customerId ?? '', walletId: '', bvn: '', nin: '' },
  });
  const open = useAction('post', '/collection/account', { changes: ['/collection/account'] });
  const { form } = server;

  async function send({ customerId, walletId, ...typed }: OpenForm): Promise<void> {
    const [bvn, nin] = [accountNumberOf(typed.bvn), accountNumberOf(typed.nin)];
    const { status } = await open.run({
      body: {
        customerId,
        ...(walletId !== '' && { walletId }),
        ...(bvn !== '' && { bvn }),
        ...(nin !== '' && { nin }),
      },
    });
    toast({
      tone: 'good',
      text: status === 'OPEN' ? 'The customer has this account number already.' : 'The account number is being opened.',
    });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={customer === undefined ? 'Open an account number' : `Open an account number for ${customer.name}`}
      description="The customer pays to it for ever, and every payment to it says who paid."
      server={server}
      onSend={send}
      send="Open it"
    >
      {customer === undefined && <CustomerChoice form={form} />}
      <WalletField form={form} />
      <Field
        form={form}
        name="bvn"
        label="BVN of the customer"
        hint={SECRET}
        rules={{ validate: ELEVEN_DIGITS }}
        optional
      >
        {(control) => <Input {...control} {...DIGITS} />}
      </Field>
      <Field form={form} name="nin" label="NIN of the customer" rules={{ validate: ELEVEN_DIGITS }} optional>
        {(control) => <Input {...control} {...DIGITS} />}
      </Field>
    </FormDialog>
  );
}

const DIGITS = {
  inputMode: 'numeric',
  maxLength: MAX_ACCOUNT_TEXT,
  autoComplete: 'off',
  className: 'figures',
} as const;

const SECRET = 'Only where the bank asks for it. It is passed on to the bank, and shown to nobody.';

/** One of the merchant's customers, found by how the name or e-mail begins. */
function CustomerChoice({ form }: { form: UseFormReturn<OpenForm> }) {
  const search = form.watch('search').trim();
  const found = useList('/customer', { query: { size: 5, ...(search !== '' && { search }) } });
  const customers = found.data?.records ?? [];
  return (
    <>
      <Field form={form} name="search" label="Find a customer" hint="How the name or e-mail begins." optional>
        {(control) => <Input {...control} autoComplete="off" maxLength={254} />}
      </Field>
      {found.data !== undefined && customers.length === 0 ? (
        <p className="text-sm text-muted">
          {search === '' ? 'You have no customers yet: add one first.' : 'Nobody begins so.'}
        </p>
      ) : (
        <ChoiceGroup legend="Customer">
          {customers.map(({ customerId, name, email }) => (
            <Radio
              key={customerId}
              label={`${name}, ${email}`}
              value={customerId}
              {...form.register('customerId', { required: 'Choose a customer.' })}
            />
          ))}
        </ChoiceGroup>
      )}
    </>
  );
}
