import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import type { ReportedDispute } from './dispute-words.ts';

/** Notes what was found out about a report that leads to no payment. */
export function DismissDialog({ reported, onClose }: { reported: ReportedDispute; onClose: () => void }) {
  const dismiss = useAction('post', '/operator/dispute/reported/dismiss', { changes: ['/operator'] });
  const server = useServerForm({ defaultValues: { note: '' } });
  const { rail, providerDisputeId } = reported;

  async function send({ note }: { note: string }): Promise<void> {
    await dismiss.run({ body: { rail, providerDisputeId, note } });
    toast({ tone: 'good', text: 'It waits for nobody any more.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`Dismiss ${providerDisputeId}`}
      description="No money moves. Where the provider reports it once more it stays dismissed."
      server={server}
      onSend={send}
      send="Dismiss"
    >
      <Field
        form={server.form}
        name="note"
        label="What you found out"
        rules={{
          required: 'Say what you found out.',
          minLength: { value: 10, message: 'Say it in at least ten characters.' },
        }}
      >
        {(control) => <Textarea {...control} rows={3} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}
