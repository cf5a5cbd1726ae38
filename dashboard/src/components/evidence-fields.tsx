import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { Field } from './field.tsx';
import { Textarea } from './inputs.tsx';
import { Select } from './select.tsx';

interface EvidenceFieldsProps<Values extends FieldValues> {
  /** With the fields `source` and `note`. */
  form: UseFormReturn<Values>;
  sources: Readonly<Record<string, string>>;
}

/** How one person knows what they propose: where from, and what they saw. The second person decides by it. */
export function EvidenceFields<Values extends FieldValues>({ form, sources }: EvidenceFieldsProps<Values>) {
  const options = Object.entries(sources).map(([value, label]) => ({ value, label }));
  return (
    <>
      <Field
        form={form}
        name={'source' as FieldPath<Values>}
        label="How do you know?"
        rules={{ required: 'Choose how you know.' }}
      >
        {(control) => <Select {...control} options={options} placeholder="Choose" />}
      </Field>
      <NoteField
        form={form}
        hint="What, where and when, and who said it: your colleague decides by this, and it stays on record."
      />
    </>
  );
}

interface NoteFieldProps<Values extends FieldValues> {
  /** With the field `note`. */
  form: UseFormReturn<Values>;
  hint: string;
}

/** What one person saw of what they propose. */
export function NoteField<Values extends FieldValues>({ form, hint }: NoteFieldProps<Values>) {
  return (
    <Field
      form={form}
      name={'note' as FieldPath<Values>}
      label="What you saw"
      hint={hint}
      rules={{
        required: 'Write what you saw.',
        minLength: { value: 10, message: 'Say it in at least ten characters.' },
      }}
    >
      {(control) => <Textarea {...control} rows={3} maxLength={1000} />}
    </Field>
  );
}
