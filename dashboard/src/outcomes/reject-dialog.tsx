import { useAction } from '../api/action.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { DialogActions, Form } from '../components/form.tsx';
import { Textarea } from '../components/input.tsx';
import { toast } from '../components/toast.tsx';
import { useServerForm } from '../components/use-server-form.ts';
import type { OpenOutcome, Proposal } from './outcome-words.ts';

interface RejectDialogProps {
  payout: OpenOutcome;
  proposal: Proposal;
  onClose: () => void;
}

/** Turns a colleague's proposal down, or takes one's own back. The payout waits as before. */
export function RejectDialog({ payout, proposal, onClose }: RejectDialogProps) {
  const reject = useAction('post', '/operator/outcome/reject', { changes: ['/operator'] });
  const server = useServerForm({ defaultValues: { reason: '' } });
  const { merchantId, mode } = payout;
  const verb = proposal.isMine ? 'Take it back' : 'Reject';

  async function send({ reason }: { reason: string }): Promise<void> {
    await reject.run({ body: { merchantId, mode, proposalId: proposal.proposalId, reason } });
    toast({ tone: 'good', text: 'Done. The payout waits for another proposal.' });
    onClose();
  }

  return (
    <Dialog
      open
      onClose={onClose}
      locked={server.isSending}
      title={proposal.isMine ? 'Take your proposal back' : 'Reject the proposal'}
      description="Nothing moves. The payout waits as before."
    >
      <Form server={server} onSend={send}>
        <Field form={server.form} name="reason" label="Why" rules={{ required: 'Say why.' }}>
          {(control) => <Textarea {...control} rows={2} maxLength={500} />}
        </Field>
        <DialogActions server={server} onCancel={onClose} send={verb} danger />
      </Form>
    </Dialog>
  );
}
