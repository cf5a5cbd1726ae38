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
import { Moment } from '../components/values.tsx';
import { OutcomeEvidence, PayoutFacts } from './outcome-evidence.tsx';
import { type OpenOutcome, OUTCOMES, type Outcome, type Proposal, SOURCES, type Source } from './outcome-words.ts';

interface Values {
  outcome: Outcome | '';
  source: Source | '';
  note: string;
}

/** The first of two people says what became of a payout, and how they know. Nothing moves by it. */
export function ProposeDialog({ payout, onClose }: { payout: OpenOutcome; onClose: () => void }) {
  const propose = useAction('post', '/operator/outcome/propose', { changes: ['/operator'] });
  const server = useServerForm<Values>({ defaultValues: { outcome: '', source: '', note: '' } });
  const { merchantId, mode, payoutId } = payout;
  const chosen = server.form.getFieldState('outcome', server.form.formState);

  async function send({ outcome, source, note }: Values): Promise<void> {
    if (outcome === '' || source === '') return;
    await propose.run({ body: { merchantId, mode, payoutId, outcome, source, note } });
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
      title="What became of this payout?"
      description="Nothing moves until another person confirms what you say."
    >
      <PayoutFacts payout={payout} />
      <div className="border-y py-5">
        <OutcomeEvidence payout={payout} />
      </div>
      <ChoiceGroup legend="Outcome">
        {(Object.keys(OUTCOMES) as Outcome[]).map((outcome) => (
          <Radio
            key={outcome}
            value={outcome}
            label={OUTCOMES[outcome].word}
            hint={OUTCOMES[outcome].follows}
            {...server.form.register('outcome', { required: 'Choose what became of it.' })}
          />
        ))}
        {chosen.error?.message !== undefined && <FieldError>{chosen.error.message}</FieldError>}
      </ChoiceGroup>
      <EvidenceFields form={server.form} sources={SOURCES} />
    </FormDialog>
  );
}

interface DecideDialogProps {
  payout: OpenOutcome;
  proposal: Proposal;
  onClose: () => void;
}

/** The second person sees what the first one says, and what confirming it does. */
export function DecideDialog({ payout, proposal, onClose }: DecideDialogProps) {
  const confirm = useAction('post', '/operator/outcome/confirm', { changes: ['/operator'] });
  const { word, follows } = OUTCOMES[proposal.outcome];
  const { merchantId, mode } = payout;

  async function go(): Promise<void> {
    await confirm.run({ body: { merchantId, mode, proposalId: proposal.proposalId, digest: proposal.digest } });
    toast({ tone: 'good', text: 'The outcome is in the books.' });
  }

  return (
    <ConfirmDialog open onClose={onClose} title={`${word}?`} confirm="Confirm the outcome" danger onConfirm={go}>
      <PayoutFacts payout={payout} layout="rows" />
      <DescriptionList
        layout="rows"
        items={[
          { label: 'Proposed by', value: proposal.proposedBy.email ?? 'a colleague' },
          { label: 'At', value: <Moment at={proposal.proposedAt} /> },
          { label: 'How it is known', value: SOURCES[proposal.source] },
          { label: 'Note', value: proposal.note },
        ]}
      />
      <OutcomeEvidence payout={payout} />
      <Alert tone="warn" title={word}>
        {follows} This cannot be undone.
      </Alert>
    </ConfirmDialog>
  );
}

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
  const verb = proposal.isMine ? 'Withdraw' : 'Reject';

  async function send({ reason }: { reason: string }): Promise<void> {
    await reject.run({ body: { merchantId, mode, proposalId: proposal.proposalId, reason } });
    toast({ tone: 'good', text: 'Done. The payout waits for another proposal.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={proposal.isMine ? 'Withdraw your proposal' : 'Reject the proposal'}
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
