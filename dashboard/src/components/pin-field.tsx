import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { Field } from './field.tsx';
import { Input } from './inputs.tsx';

const PIN = { value: /^\d{4,6}$/, message: 'A PIN has 4 to 6 digits.' };

interface PinFieldProps<Values extends FieldValues> {
  /** With the field `pin`. */
  form: UseFormReturn<Values>;
  /** Where the PIN is all that is asked for. */
  autoFocus?: boolean;
}

/** The PIN without which no money leaves and no rule of it changes. */
export function PinField<Values extends FieldValues>({ form, autoFocus = false }: PinFieldProps<Values>) {
  return (
    <Field
      form={form}
      name={'pin' as FieldPath<Values>}
      label="PIN"
      rules={{ pattern: PIN, required: 'Enter your PIN.' }}
    >
      {(control) => (
        <Input
          {...control}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          autoFocus={autoFocus}
          className="figures max-w-40 text-center text-lg tracking-[0.4em]"
        />
      )}
    </Field>
  );
}
