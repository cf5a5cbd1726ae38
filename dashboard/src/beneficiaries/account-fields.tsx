import type { ReactNode } from 'react';
import type { FieldPath, FieldPathValue, FieldValues, UseFormReturn } from 'react-hook-form';
import { Combobox } from '../components/combobox.tsx';
import { ControlledField } from '../components/controlled-field.tsx';
import { Field } from '../components/field.tsx';
import { Input } from '../components/inputs.tsx';
import { complainAboutAccount, MAX_ACCOUNT_TEXT } from '../format/accounts.ts';
import { useBankOptions } from './bank-accounts.tsx';

interface AccountFieldsProps<Values extends FieldValues> {
  /** With the fields `bankCode` and `accountNumber`. */
  form: UseFormReturn<Values>;
  /** Whether Tab takes the bank that stands first. */
  takesOnTab?: boolean;
  /** Whose account it is, below the number. */
  children?: ReactNode;
}

/** A bank and an account number at it. */
export function AccountFields<Values extends FieldValues>({ form, takesOnTab, children }: AccountFieldsProps<Values>) {
  const { options, isLoading } = useBankOptions();
  const bank = 'bankCode' as FieldPath<Values>;
  return (
    <>
      <ControlledField form={form} name={bank} label="Bank" rules={{ required: 'Choose a bank.' }}>
        {({ onChange, ...control }) => (
          <Combobox
            {...control}
            onChange={(code) => onChange(code as FieldPathValue<Values, typeof bank>)}
            options={options}
            takesOnTab={takesOnTab === true}
            placeholder={isLoading ? 'Loading the banks…' : 'Type a name, such as Access'}
            nothing="No bank with this name takes payouts."
          />
        )}
      </ControlledField>
      <div>
        <Field
          form={form}
          name={'accountNumber' as FieldPath<Values>}
          label="Account number"
          rules={{ validate: complainAboutAccount }}
          {...(children !== undefined && { className: 'mb-1.5' })}
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
        {children}
      </div>
    </>
  );
}
