import { Field } from './field.tsx';
import { useServerForm } from './form.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Textarea } from './inputs.tsx';
import { toast } from './toast.tsx';

interface NoteDialogProps {
  title: string;
  description: string;
  /** Above the field. */
  label?: string;
  /** On the button. */
  action?: string;
  /** What is said once it is sent. */
  done: string;
  onSend: (note: string) => Promise<unknown>;
  onClose: () => void;
}

const MIN_NOTE_LENGTH = 10;

/** Somebody says what was seen, or found out. */
export function NoteDialog({
  title,
  description,
  label = 'What was seen, and where',
  action = 'Propose',
  done,
  onSend,
  onClose,
}: NoteDialogProps) {
  const server = useServerForm({ defaultValues: { note: '' } });

  async function send({ note }: { note: string }): Promise<void> {
    await onSend(note);
    toast({ tone: 'good', text: done });
    onClose();
  }

  return (
    <FormDialog onClose={onClose} title={title} description={description} server={server} onSend={send} send={action}>
      <Field
        form={server.form}
        name="note"
        label={label}
        rules={{
          required: 'Say it in at least ten characters.',
          minLength: { value: MIN_NOTE_LENGTH, message: 'Say it in at least ten characters.' },
        }}
      >
        {(control) => <Textarea {...control} rows={3} maxLength={1000} />}
      </Field>
    </FormDialog>
  );
}
