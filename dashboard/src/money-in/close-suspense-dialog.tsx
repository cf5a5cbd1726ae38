import { useAction } from '../api/action.ts';
import { CloseProposalDialog } from '../components/close-proposal-dialog.tsx';
import type { Proposal, SuspenseEntry } from './money-words.ts';

interface CloseSuspenseDialogProps {
  money: SuspenseEntry;
  proposal: Proposal;
  onClose: () => void;
}

/** Turns a colleague's proposal about money in suspense down, or takes one's own back. */
export function CloseSuspenseDialog({ money, proposal, onClose }: CloseSuspenseDialogProps) {
  const how = proposal.isMine ? 'withdraw' : 'reject';
  const changes = { changes: ['/operator'] };
  const ofPayment = useAction('post', `/operator/suspense/payment/${how}`, changes);
  const ofCredit = useAction('post', `/operator/suspense/credit/${how}`, changes);
  const { merchantId, mode } = money;
  const { proposalId, isMine } = proposal;
  return (
    <CloseProposalDialog
      what="proposal"
      isMine={isMine}
      description="Nothing moves. The money waits as before."
      onSend={(reason) =>
        merchantId === null
          ? ofCredit.run({ body: { proposalId, reason } })
          : ofPayment.run({ body: { merchantId, mode, proposalId, reason } })
      }
      onClose={onClose}
    />
  );
}
