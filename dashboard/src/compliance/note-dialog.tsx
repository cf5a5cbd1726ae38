import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';

interface NoteDialogProps {
  title: string;
  description: string;
  /** What is said once it is proposed. */
  done: string;
  onSend: (note: string) => Promise<unknown>;
  onClose: () => void;
}

const MIN_NOTE_LENGTH = 10;

/** The first of two people says what was seen, and where. */
export function NoteDialog({ title, description, done, onSend, onClose }: NoteDialogProps) {
  const server = useServerForm({ defaultValues: { note: '' } });

  async function send({ note }: { note: string }): Promise<void> {
    await onSend(note);
    toast({ tone: 'good', text: done });
    onClose();
  }

  return (
    <FormDialog onClose={onClose} title={title} description={description} server={server} onSend={send} send="Propose">
      <Field
        form={server.form}
        name="note"
        label="What was seen, and where"
        rules={{
          required: 'Say what was seen, and where.',
          minLength: { value: MIN_NOTE_LENGTH, message: 'Say it in at least ten characters.' },
        }}
      >
        {(control) => <Textarea {...control} rows={3} maxLength={1000} />}
      </Field>
    </FormDialog>
  );
}
