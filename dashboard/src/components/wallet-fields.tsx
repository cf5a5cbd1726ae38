import type { ReactNode } from 'react';
import type { FieldPath, FieldPathValue, FieldValues, UseFormReturn } from 'react-hook-form';
import type { ApiError } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import type { Data, Mode } from '../api/types.ts';
import { accountNumberOf, isWholeAccount, MAX_ACCOUNT_TEXT } from '../format/accounts.ts';
import { modeWord } from '../format/modes.ts';
import { Alert } from './alert.tsx';
import { Combobox } from './combobox.tsx';
import { ControlledField } from './controlled-field.tsx';
import { Field } from './field.tsx';
import { Input } from './inputs.tsx';

/** What a form names a wallet by. */
export interface WalletValues {
  accountNumber: string;
  /** Only where two wallets have the number. */
  bankOfNumber: string;
}

export interface FoundWallet {
  wallet: Data<'get', '/operator/wallet/{accountNumber}'> | undefined;
  error: ApiError | null;
}

/** Whose the wallet is, as soon as the number in the form is whole. */
export function useWalletOf({ accountNumber, bankOfNumber }: WalletValues, mode: Mode): FoundWallet {
  const number = accountNumberOf(accountNumber);
  const isWhole = isWholeAccount(number);
  const { data, error } = useRead(
    '/operator/wallet/{accountNumber}',
    {
      path: { accountNumber: number },
      query: { mode, ...(bankOfNumber !== '' && { bankCode: bankOfNumber }) },
    },
    { enabled: isWhole, retry: false },
  );
  return isWhole ? { wallet: data, error } : { wallet: undefined, error: null };
}

interface WalletFieldsProps<Values extends FieldValues & WalletValues> {
  form: UseFormReturn<Values>;
  found: FoundWallet;
  hint: ReactNode;
  isRequired: boolean;
}

/** The account number of a wallet, whose that is, and the bank of the number where that is needed. */
export function WalletFields<Values extends FieldValues & WalletValues>({
  form,
  found: { wallet, error },
  hint,
  isRequired,
}: WalletFieldsProps<Values>) {
  const bank = 'bankOfNumber' as FieldPath<Values>;
  const needsBank = error?.code === 'ACCOUNT_NUMBER_AMBIGUOUS' || form.watch(bank) !== '';
  return (
    <>
      <Field
        form={form}
        name={'accountNumber' as FieldPath<Values>}
        label="Account number of the wallet"
        hint={hint}
        rules={{
          validate: (typed: string) =>
            (typed.trim() === '' && !isRequired) || isWholeAccount(typed) || 'Enter ten digits.',
          ...(isRequired && { required: 'Enter ten digits.' }),
          onChange: () => form.setValue(bank, '' as FieldPathValue<Values, typeof bank>),
        }}
      >
        {(control) => <Input {...control} inputMode="numeric" maxLength={MAX_ACCOUNT_TEXT} className="figures" />}
      </Field>
      {needsBank && <BankOfNumber form={form} name={bank} />}
      {wallet !== undefined && (
        <Alert tone="info" title={wallet.accountName}>
          A wallet of {wallet.businessName ?? wallet.merchantId}, {modeWord(wallet.mode)}.
        </Alert>
      )}
      {error !== null && <Alert tone="warn">{error.message}</Alert>}
    </>
  );
}

/** The banks, as a form chooses among them. */
export function useBankOptions() {
  const banks = useRead('/operator/bank', {});
  return (banks.data?.banks ?? []).map(({ code, name }) => ({ value: code, label: name, detail: code }));
}

function BankOfNumber<Values extends FieldValues>({
  form,
  name,
}: {
  form: UseFormReturn<Values>;
  name: FieldPath<Values>;
}) {
  const options = useBankOptions();
  return (
    <ControlledField form={form} name={name} label="Bank of this account number">
      {({ onChange, ...control }) => (
        <Combobox
          {...control}
          onChange={(code) => onChange(code as FieldPathValue<Values, FieldPath<Values>>)}
          options={options}
          placeholder="Type a name"
        />
      )}
    </ControlledField>
  );
}
