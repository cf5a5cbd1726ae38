import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
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
    <FormDialog
      onClose={onClose}
      title={proposal.isMine ? 'Take your proposal back' : 'Reject the proposal'}
      description="Nothing moves. The payout waits as before."
      server={server}
      onSend={send}
      send={verb}
      danger
    >
      <Field form={server.form} name="reason" label="Why" rules={{ required: 'Say why.' }}>
        {(control) => <Textarea {...control} rows={2} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}
