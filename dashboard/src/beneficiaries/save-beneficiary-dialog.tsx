import { useAction } from '../api/action.ts';
import { ApiError } from '../api/errors.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { accountNumberOf } from '../format/accounts.ts';
import { AccountFields } from './account-fields.tsx';
import { AccountName, useAccountOwner } from './bank-accounts.tsx';

const EMPTY = { bankCode: '', accountNumber: '', nickname: '' };
type Typed = typeof EMPTY;

/** What is refused and belongs to the account number, whichever word says it. */
const ABOUT_ACCOUNT = new Set(['ACCOUNT_NOT_FOUND', 'BENEFICIARY_EXISTS']);

interface SaveBeneficiaryDialogProps {
  open: boolean;
  onClose: () => void;
}

/** Saves an account that is paid again and again. Rendered as long as its page stands: what was typed stays. */
export function SaveBeneficiaryDialog({ open, onClose }: SaveBeneficiaryDialogProps) {
  const server = useServerForm<Typed>({ defaultValues: EMPTY });
  const save = useAction('post', '/beneficiary');
  const [bankCode, accountNumber] = server.form.watch(['bankCode', 'accountNumber']);
  const owner = useAccountOwner(bankCode, accountNumber);

  async function send(typed: Typed): Promise<void> {
    const nickname = typed.nickname.trim();
    const body = {
      bankCode: typed.bankCode,
      accountNumber: accountNumberOf(typed.accountNumber),
      ...(nickname === '' ? {} : { nickname }),
    };
    const { accountName, status } = await save.run({ body }).catch(atAccount);
    const waits = status === 'PENDING_APPROVAL';
    toast({
      tone: waits ? 'info' : 'good',
      text: waits ? `${accountName} waits for another person’s approval.` : `${accountName} is saved.`,
    });
    server.form.reset(EMPTY);
    onClose();
  }

  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Save a beneficiary"
      description="An account that you pay again. Saving it moves no money."
      server={server}
      onSend={send}
      send="Save"
    >
      <AccountFields form={server.form}>
        <AccountName owner={owner} />
      </AccountFields>
      <Field form={server.form} name="nickname" label="Nickname" hint="How your people call them." optional>
        {(control) => <Input {...control} maxLength={60} autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}

/** @throws ApiError that names its field. */
function atAccount(error: unknown): never {
  if (error instanceof ApiError && error.errors.length === 0 && ABOUT_ACCOUNT.has(error.code)) {
    const { message, code, status } = error;
    throw new ApiError(message, { code, status, errors: [{ field: 'accountNumber', message }] });
  }
  throw error;
}
