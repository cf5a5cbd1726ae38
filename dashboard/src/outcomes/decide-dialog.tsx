import { useAction } from '../api/action.ts';
import { Alert } from '../components/alert.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { OutcomeEvidence } from './outcome-evidence.tsx';
import { type OpenOutcome, OUTCOMES, type Proposal, SOURCES } from './outcome-words.ts';
import { PayoutFacts } from './payout-facts.tsx';

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
        {follows} This cannot be taken back.
      </Alert>
    </ConfirmDialog>
  );
}
