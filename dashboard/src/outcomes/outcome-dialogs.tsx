import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { CloseProposalDialog } from '../components/close-proposal-dialog.tsx';
import { OutcomeEvidence, PayoutFacts } from './outcome-evidence.tsx';
import { OUTCOMES, type Outcome, type Proposal, type Undecided } from './outcome-words.ts';
import { ConfirmOutcome, ProposeOutcome } from './two-people.tsx';

const ALL = Object.entries(OUTCOMES) as [Outcome, (typeof OUTCOMES)[Outcome]][];

/** The first of two people says what became of a payout. */
export function ProposeDialog({ payout, onClose }: { payout: Undecided; onClose: () => void }) {
  const propose = useAction('post', '/operator/outcome/propose', { changes: ['/operator'] });
  const { merchantId, mode, payoutId } = payout;
  const { data: evidence } = useRead('/operator/outcome/{payoutId}/evidence', {
    path: { payoutId },
    query: { merchantId, mode },
  });
  return (
    <ProposeOutcome
      what="payout"
      outcomes={ALL.filter(([outcome]) => evidence?.outcomes.includes(outcome) ?? true)}
      onSend={(said) => propose.run({ body: { merchantId, mode, payoutId, ...said } })}
      onClose={onClose}
    >
      <PayoutFacts payout={payout} />
      <div className="border-y py-5">
        <OutcomeEvidence payout={payout} />
      </div>
    </ProposeOutcome>
  );
}

interface DecideProps {
  payout: Undecided;
  proposal: Proposal;
  onClose: () => void;
}

/** The second person confirms it. */
export function DecideDialog({ payout, proposal, onClose }: DecideProps) {
  const confirm = useAction('post', '/operator/outcome/confirm', { changes: ['/operator'] });
  const { merchantId, mode } = payout;
  const { proposalId, digest } = proposal;
  return (
    <ConfirmOutcome
      words={OUTCOMES[proposal.outcome]}
      proposal={proposal}
      onConfirm={() => confirm.run({ body: { merchantId, mode, proposalId, digest } })}
      onClose={onClose}
      below={<OutcomeEvidence payout={payout} />}
    >
      <PayoutFacts payout={payout} layout="rows" />
    </ConfirmOutcome>
  );
}

/** Turns a colleague's proposal down, or takes one's own back. */
export function RejectDialog({ payout, proposal, onClose }: DecideProps) {
  const reject = useAction('post', '/operator/outcome/reject', { changes: ['/operator'] });
  const { merchantId, mode } = payout;
  const { proposalId, isMine } = proposal;
  return (
    <CloseProposalDialog
      what="proposal"
      isMine={isMine}
      description="Nothing moves. The payout waits as before."
      onSend={(reason) => reject.run({ body: { merchantId, mode, proposalId, reason } })}
      onClose={onClose}
    />
  );
}
