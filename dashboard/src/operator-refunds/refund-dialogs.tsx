import { useAction } from '../api/action.ts';
import { CloseProposalDialog } from '../components/close-proposal-dialog.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Amount } from '../components/values.tsx';
import { ConfirmOutcome, ProposeOutcome } from '../outcomes/two-people.tsx';
import { type OperatorRefund, possibleOutcomes, REFUND_OUTCOMES, type RefundProposal } from './refund-words.ts';

/** The first of two people says what became of a refund. */
export function ProposeRefundDialog({ refund, onClose }: { refund: OperatorRefund; onClose: () => void }) {
  const propose = useAction('post', '/operator/refund/propose', { changes: ['/operator'] });
  const { merchantId, mode, refundId } = refund;
  return (
    <ProposeOutcome
      what="refund"
      outcomes={possibleOutcomes(refund).map((outcome) => [outcome, REFUND_OUTCOMES[outcome]] as const)}
      onSend={(said) => propose.run({ body: { merchantId, mode, refundId, ...said } })}
      onClose={onClose}
    />
  );
}

interface DecideProps {
  refund: OperatorRefund;
  proposal: RefundProposal;
  onClose: () => void;
}

/** The second person confirms it. */
export function ConfirmRefundDialog({ refund, proposal, onClose }: DecideProps) {
  const confirm = useAction('post', '/operator/refund/confirm', { changes: ['/operator'] });
  const { merchantId, mode, amount, currency, businessName } = refund;
  const { proposalId, digest } = proposal;
  return (
    <ConfirmOutcome
      words={REFUND_OUTCOMES[proposal.outcome]}
      proposal={proposal}
      onConfirm={() => confirm.run({ body: { merchantId, mode, proposalId, digest } })}
      onClose={onClose}
    >
      <DescriptionList
        layout="rows"
        items={[
          { label: 'Merchant', value: businessName ?? merchantId },
          { label: 'Amount', value: <Amount value={amount} currency={currency} /> },
        ]}
      />
    </ConfirmOutcome>
  );
}

/** Turns a colleague's proposal down, or takes one's own back. */
export function RejectRefundDialog({ refund, proposal, onClose }: DecideProps) {
  const reject = useAction('post', '/operator/refund/reject', { changes: ['/operator'] });
  const { merchantId, mode } = refund;
  const { proposalId, isMine } = proposal;
  return (
    <CloseProposalDialog
      what="proposal"
      isMine={isMine}
      description="Nothing moves. The refund waits as before."
      onSend={(reason) => reject.run({ body: { merchantId, mode, proposalId, reason } })}
      onClose={onClose}
    />
  );
}
