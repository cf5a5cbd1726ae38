import { useAction } from '../api/action.ts';
import { useBankOptions } from '../beneficiaries/bank-accounts.tsx';
import { Alert } from '../components/alert.tsx';
import { Combobox } from '../components/combobox.tsx';
import { ControlledField } from '../components/controlled-field.tsx';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { Input } from '../components/inputs.tsx';
import { useLatestValues } from '../components/use-latest-values.ts';
import { accountNumberOf } from '../format/accounts.ts';
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
  useLatestValues(server.form, accountOf(step));
  const saved = useStepSaved(next);

  async function send(values: Account): Promise<void> {
    const before = server.form.formState.defaultValues;
    // Copied from a statement it may come with spaces.
    const accountNumber = accountNumberOf(values.accountNumber);
    const { bankCode } = values;
    if (bankCode === before?.bankCode && accountNumber === before.accountNumber) return saved(step);
    // They name one account: a number is of the bank that was shown beside it.
    const body = {
      ...(bankCode === '' && before?.bankCode === '' ? {} : { bankCode }),
      ...(accountNumber === '' && before?.accountNumber === '' ? {} : { accountNumber }),
    };
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
              nothing="No bank with this name."
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
function Owner({ step: { values, problems } }: { step: Step }) {
  const { accountName = '', bankName = '', accountNumber = '' } = values;
  const doubt = problems.find(({ severity }) => severity === 'WARNING');
  if (doubt !== undefined) {
    const isSandbox = doubt.code === 'SETTLEMENT_OWNER_OF_SANDBOX';
    return (
      <Alert tone={isSandbox ? 'info' : 'warn'} title={isSandbox ? 'Saved' : "Saved without the bank's confirmation"}>
        {doubt.message}
      </Alert>
    );
  }
  if (accountName === '') return null;
  return (
    <Alert tone="good" title={accountName}>
      {bankName}, {accountNumber}. The name comes from the bank.
    </Alert>
  );
}
