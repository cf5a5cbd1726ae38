import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import type { Money, Proposal } from './money-words.ts';

interface CloseProposalDialogProps {
  money: Money;
  proposal: Proposal;
  onClose: () => void;
}

/** Turns a colleague's proposal down, or takes one's own back. */
export function CloseProposalDialog({ money, proposal, onClose }: CloseProposalDialogProps) {
  const how = proposal.isMine ? 'withdraw' : 'reject';
  const changes = { changes: ['/operator'] };
  const ofPayment = useAction('post', `/operator/suspense/payment/${how}`, changes);
  const ofCredit = useAction('post', `/operator/suspense/credit/${how}`, changes);
  const server = useServerForm({ defaultValues: { reason: '' } });
  const { merchantId, mode } = money;
  const { proposalId } = proposal;

  async function send({ reason }: { reason: string }): Promise<void> {
    if (merchantId === null) await ofCredit.run({ body: { proposalId, reason } });
    else await ofPayment.run({ body: { merchantId, mode, proposalId, reason } });
    toast({ tone: 'good', text: 'Done. Nothing has moved.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={proposal.isMine ? 'Withdraw your proposal' : 'Reject the proposal'}
      description="Nothing moves. The money waits as before."
      server={server}
      onSend={send}
      send={proposal.isMine ? 'Withdraw' : 'Reject'}
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
