import { useAction } from '../api/action.ts';
import { useBankOptions } from '../banks/use-banks.ts';
import { Alert } from '../components/alert.tsx';
import { Combobox } from '../components/combobox.tsx';
import { ControlledField, Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { Input } from '../components/inputs.tsx';
import type { Step } from './step-fields.ts';
import { useStepSaved } from './use-step-saved.ts';

interface Account {
  bankCode: string;
  accountNumber: string;
}

/** Where settlements go. The bank is asked whose account it is as it is saved. */
export function SettlementStep({ step, open, next }: { step: Step; open: boolean; next: Step | undefined }) {
  const { options } = useBankOptions();
  const save = useAction('patch', '/onboarding/settlement-account', { changes: ['/onboarding'] });
  const server = useServerForm<Account>({ defaultValues: accountOf(step) });
  const saved = useStepSaved(next);

  async function send(values: Account): Promise<void> {
    const before = accountOf(step);
    // Copied from a statement it may come with spaces.
    const accountNumber = values.accountNumber.replaceAll(/[\s-]/g, '');
    const body = {
      ...(values.bankCode === before.bankCode ? {} : { bankCode: values.bankCode }),
      ...(accountNumber === before.accountNumber ? {} : { accountNumber }),
    };
    if (Object.keys(body).length === 0) return saved(step);
    const { steps } = await save.run({ body });
    const now = steps.find(({ key }) => key === step.key) ?? step;
    server.form.reset(accountOf(now));
    saved(now);
  }

  return (
    <Form server={server} onSend={send} {...(open ? { send: 'Ask the bank and save' } : {})}>
      <fieldset disabled={!open} className="grid gap-4 sm:grid-cols-2">
        <ControlledField form={server.form} name="bankCode" label="Bank" hint="Where the account is held.">
          {(control) => (
            <Combobox
              {...control}
              options={options}
              disabled={!open}
              placeholder="Type the bank's name"
              nothing="No bank of this name."
            />
          )}
        </ControlledField>
        <Field form={server.form} name="accountNumber" label="Account number" hint="10 digits.">
          {(control) => <Input {...control} inputMode="numeric" autoComplete="off" className="figures" />}
        </Field>
      </fieldset>
      <Owner step={step} />
    </Form>
  );
}

const accountOf = ({ values }: Step): Account => ({
  bankCode: values['bankCode'] ?? '',
  accountNumber: values['accountNumber'] ?? '',
});

/** The name that the bank gave, or that none could be asked. */
function Owner({ step: { values } }: { step: Step }) {
  const { accountName = '', bankName = '', accountNumber = '', verifiedIn = '' } = values;
  if (verifiedIn === 'SANDBOX') {
    return (
      <Alert tone="info" title="Saved">
        {bankName}, {accountNumber}. The sandbox asks no real bank: {accountName} is a name that it made up. The
        reviewers look whose account it is.
      </Alert>
    );
  }
  if (accountName !== '') {
    return (
      <Alert tone="good" title={accountName}>
        {bankName}, {accountNumber}. The name comes from the bank.
      </Alert>
    );
  }
  if (accountNumber === '' || bankName === '') return null;
  return (
    <Alert tone="warn" title="Saved without the bank's word">
      No bank could be asked whose account this is, so the reviewers will look at it.
    </Alert>
  );
}
