import { useAction } from '../api/action.ts';
import { Alert } from '../components/alert.tsx';
import { ChoiceGroup, Radio } from '../components/choices.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { EvidenceFields } from '../components/evidence-fields.tsx';
import { Field, FieldError } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { SOURCES, type Source } from '../outcomes/outcome-words.ts';
import {
  type OperatorRefund,
  possibleOutcomes,
  REFUND_OUTCOMES,
  type RefundOutcome,
  type RefundProposal,
} from './refund-words.ts';

interface Values {
  outcome: RefundOutcome | '';
  source: Source | '';
  note: string;
}

/** The first of two people says what became of a refund, and how they know. Nothing moves by it. */
export function ProposeRefundDialog({ refund, onClose }: { refund: OperatorRefund; onClose: () => void }) {
  const propose = useAction('post', '/operator/refund/propose', { changes: ['/operator'] });
  const server = useServerForm<Values>({ defaultValues: { outcome: '', source: '', note: '' } });
  const { merchantId, mode, refundId } = refund;
  const chosen = server.form.getFieldState('outcome', server.form.formState);

  async function send({ outcome, source, note }: Values): Promise<void> {
    if (outcome === '' || source === '') return;
    await propose.run({ body: { merchantId, mode, refundId, outcome, source, note } });
    toast({ tone: 'good', text: 'Proposed. Nothing has moved: another person confirms it.' });
    onClose();
  }

  return (
    <FormDialog
      kind="wide"
      onClose={onClose}
      server={server}
      onSend={send}
      send="Propose"
      title="What became of this refund?"
      description="Nothing moves until another person confirms what you say."
    >
      <ChoiceGroup legend="Outcome">
        {possibleOutcomes(refund).map((outcome) => (
          <Radio
            key={outcome}
            value={outcome}
            label={REFUND_OUTCOMES[outcome].word}
            hint={REFUND_OUTCOMES[outcome].follows}
            {...server.form.register('outcome', { required: 'Choose what became of it.' })}
          />
        ))}
        {chosen.error?.message !== undefined && <FieldError>{chosen.error.message}</FieldError>}
      </ChoiceGroup>
      <EvidenceFields form={server.form} sources={SOURCES} />
    </FormDialog>
  );
}

interface DecideProps {
  refund: OperatorRefund;
  proposal: RefundProposal;
  onClose: () => void;
}

/** The second person sees what the first one says, and what confirming it does. */
export function ConfirmRefundDialog({ refund, proposal, onClose }: DecideProps) {
  const confirm = useAction('post', '/operator/refund/confirm', { changes: ['/operator'] });
  const { word, follows } = REFUND_OUTCOMES[proposal.outcome];
  const { merchantId, mode, amount, currency, businessName } = refund;

  async function go(): Promise<void> {
    await confirm.run({ body: { merchantId, mode, proposalId: proposal.proposalId, digest: proposal.digest } });
    toast({ tone: 'good', text: 'The outcome is in the books.' });
  }

  return (
    <ConfirmDialog open onClose={onClose} title={`${word}?`} confirm="Confirm the outcome" danger onConfirm={go}>
      <DescriptionList
        layout="rows"
        items={[
          { label: 'Merchant', value: businessName ?? merchantId },
          { label: 'Amount', value: <Amount value={amount} currency={currency} /> },
          { label: 'Proposed by', value: proposal.proposedBy.email ?? 'a colleague' },
          { label: 'At', value: <Moment at={proposal.proposedAt} /> },
          { label: 'How it is known', value: SOURCES[proposal.source] },
          { label: 'Note', value: proposal.note },
        ]}
      />
      <Alert tone="warn" title={word}>
        {follows} This cannot be undone.
      </Alert>
    </ConfirmDialog>
  );
}

/** Turns a colleague's proposal down, or takes one's own back. The refund waits as before. */
export function RejectRefundDialog({ refund, proposal, onClose }: DecideProps) {
  const reject = useAction('post', '/operator/refund/reject', { changes: ['/operator'] });
  const server = useServerForm({ defaultValues: { reason: '' } });
  const { merchantId, mode } = refund;

  async function send({ reason }: { reason: string }): Promise<void> {
    await reject.run({ body: { merchantId, mode, proposalId: proposal.proposalId, reason } });
    toast({ tone: 'good', text: 'Done. The refund waits for another proposal.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={proposal.isMine ? 'Withdraw your proposal' : 'Reject the proposal'}
      description="Nothing moves. The refund waits as before."
      server={server}
      onSend={send}
      send={proposal.isMine ? 'Withdraw' : 'Reject'}
      danger
    >
      <Field form={server.form} name="reason" label="Why" rules={{ required: 'Say why.' }}>
        {(control) => <Textarea {...control} rows={2} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}
