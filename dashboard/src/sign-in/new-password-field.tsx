import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { Field } from '../components/field.tsx';
import { PasswordInput } from '../components/inputs.tsx';

interface NewPasswordFieldProps<T extends FieldValues> {
  form: UseFormReturn<T>;
  name: FieldPath<T>;
  label?: string;
}

/** What a password needs is said before it is refused. Whether it is a common one the service says. */
export function NewPasswordField<T extends FieldValues>({ form, name, label = 'Password' }: NewPasswordFieldProps<T>) {
  return (
    <Field
      form={form}
      name={name}
      label={label}
      hint="At least 12 characters. A few words that only you would put together are easy to keep."
      rules={{
        required: 'Choose a password.',
        minLength: { value: 12, message: 'Use at least 12 characters.' },
        maxLength: { value: 256, message: 'Use at most 256 characters.' },
      }}
    >
      {(control) => <PasswordInput {...control} autoComplete="new-password" />}
    </Field>
  );
}
