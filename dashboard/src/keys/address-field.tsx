import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { Field } from '../components/field.tsx';
import { Textarea } from '../components/inputs.tsx';
import { complainAboutAddresses } from './ip-addresses.ts';

interface AddressFieldProps<T extends FieldValues> {
  form: UseFormReturn<T>;
  name: FieldPath<T>;
}

/** From where a key may be used. */
export function AddressField<T extends FieldValues>({ form, name }: AddressFieldProps<T>) {
  return (
    <Field
      form={form}
      name={name}
      label="Only from these IP addresses"
      optional
      hint="One a line: 203.0.113.7, or a range such as 203.0.113.0/24. Left empty, it works from anywhere."
      rules={{ validate: (text: string) => complainAboutAddresses(text) ?? true }}
    >
      {(control) => (
        <Textarea {...control} rows={2} spellCheck={false} autoComplete="off" className="font-mono text-xs" />
      )}
    </Field>
  );
}
