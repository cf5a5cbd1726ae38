import { Field } from './field.tsx';
import { useServerForm } from './form.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Textarea } from './inputs.tsx';
import { toast } from './toast.tsx';

interface CloseProposalDialogProps {
  /** What was proposed: `credit`. */
  what: string;
  /** One's own is withdrawn, a colleague's is rejected. */
  isMine: boolean;
  description: string;
  onSend: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** Turns a colleague's proposal down, or takes one's own back. */
export function CloseProposalDialog({ what, isMine, description, onSend, onClose }: CloseProposalDialogProps) {
  const server = useServerForm({ defaultValues: { reason: '' } });

  async function send({ reason }: { reason: string }): Promise<void> {
    await onSend(reason);
    toast({ tone: 'good', text: 'Done. Nothing has moved.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={isMine ? `Withdraw your ${what}` : `Reject the ${what}`}
      description={description}
      server={server}
      onSend={send}
      send={isMine ? 'Withdraw' : 'Reject'}
      danger
    >
      <Field
        form={server.form}
        name="reason"
        label="Why"
        rules={{ required: 'Say why.', minLength: { value: 3, message: 'Say it in at least three characters.' } }}
      >
        {(control) => <Textarea {...control} rows={2} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}
