import type { UseFormReturn } from 'react-hook-form';
import { Field } from '../components/field.tsx';
import { ChoiceGroup, Radio, Textarea } from '../components/inputs.tsx';

export interface Resolution {
  how: 'APPLY' | 'ACCEPT';
  note: string;
}

interface ResolutionFieldsProps {
  form: UseFormReturn<Resolution>;
  /** The rail's word may become the books'. */
  mayApply: boolean;
}

/** What somebody makes of what differs, and why. */
export function ResolutionFields({ form, mayApply }: ResolutionFieldsProps) {
  const needsNote = form.watch('how') === 'ACCEPT';
  return (
    <>
      <ChoiceGroup legend="Decision">
        {mayApply && (
          <Radio
            value="APPLY"
            label="Apply what the rail says"
            hint="It becomes books at once, as if the rail had answered so. Another person than the one who imported the file has to do it."
            {...form.register('how')}
          />
        )}
        <Radio
          value="ACCEPT"
          label="Accept the difference"
          hint="Looked into, and explained in the note. Nothing moves."
          {...form.register('how')}
        />
      </ChoiceGroup>
      <Field
        form={form}
        name="note"
        label="Note"
        optional={!needsNote}
        rules={{ validate: (note) => (needsNote && note.trim() === '' ? 'Say what you found out.' : undefined) }}
      >
        {(control) => <Textarea {...control} rows={3} maxLength={1000} />}
      </Field>
    </>
  );
}
