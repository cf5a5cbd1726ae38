import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { Field } from '../components/field.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { complainAboutMoney, formatDigits, parseMoney } from '../format/money.ts';

/** As it is typed: nothing for zero. */
export const typedNaira = (amount: number): string => (amount === 0 ? '' : formatDigits(amount));
export const nairaOf = (text: string): number => (text.trim() === '' ? 0 : (parseMoney(text) ?? 0));
export const complainAboutOptional = (text: string) => (text.trim() === '' ? true : (complainAboutMoney(text) ?? true));

/** With the field `keepInWallet`. */
export function KeepField<Values extends FieldValues>({ form }: { form: UseFormReturn<Values> }) {
  return (
    <Field
      form={form}
      name={'keepInWallet' as FieldPath<Values>}
      label="Stays in the wallet"
      optional
      hint="So much of the balance is not settled."
      rules={{ validate: complainAboutOptional }}
    >
      {(control) => <MoneyInput {...control} />}
    </Field>
  );
}
