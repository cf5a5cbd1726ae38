import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { CloseProposalDialog } from '../components/close-proposal-dialog.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Dialog } from '../components/dialog.tsx';
import { MerchantLink, PaymentInLink } from '../components/operator-links.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { ACTION_WORDS, CATEGORIES, type DisputeProposal, KNOWN_BY } from './dispute-words.ts';

/** What one person says of a dispute, as the other sees it before they decide. */
export function ProposalDialog({ proposal, onClose }: { proposal: DisputeProposal; onClose: () => void }) {
  const [isClosing, setClosing] = useState(false);
  const confirm = useAction('post', '/operator/dispute/confirm', { changes: ['/operator'] });
  const reject = useAction('post', '/operator/dispute/reject', { changes: ['/operator'] });
  const { merchantId, mode, proposalId, digest, isMine, isAltered, action } = proposal;
  if (isClosing) {
    return (
      <CloseProposalDialog
        what="proposal"
        isMine={isMine}
        description="Nothing moves. It may be proposed again."
        onSend={(reason) => reject.run({ body: { merchantId, mode, proposalId, reason } })}
        onClose={onClose}
      />
    );
  }

  async function go(): Promise<void> {
    try {
      await confirm.run({ body: { merchantId, mode, proposalId, digest } });
    } catch {
      // The dialog says it.
      return;
    }
    toast({ tone: 'good', text: action === 'OPEN' ? 'The dispute is opened.' : 'The dispute has ended.' });
    onClose();
  }

  const mayConfirm = !isMine && !isAltered;
  return (
    <Dialog
      open
      onClose={onClose}
      kind="wide"
      title={`${ACTION_WORDS[action].word}: ${proposal.providerDisputeId}`}
      locked={confirm.isPending}
      actions={
        <>
          <Button onClick={onClose} disabled={confirm.isPending}>
            Close
          </Button>
          <Button look="danger" onClick={() => setClosing(true)} disabled={confirm.isPending}>
            {isMine ? 'Withdraw' : 'Reject'}
          </Button>
          {mayConfirm && (
            <Button look="primary" busy={confirm.isPending} onClick={() => void go()}>
              Confirm
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {isAltered && (
          <Alert tone="bad" title="This is not what was proposed">
            It was altered in the database. It cannot be confirmed; find out who did it.
          </Alert>
        )}
        <Facts proposal={proposal} />
        {isMine && <p className="text-muted">You proposed it: another person has to confirm it.</p>}
        {mayConfirm && (
          <Alert tone="warn" title="It is in the books at once">
            {ACTION_WORDS[action].follows}
          </Alert>
        )}
        {confirm.error !== undefined && <Alert tone="bad">{messageOf(confirm.error)}</Alert>}
      </div>
    </Dialog>
  );
}

function Facts({ proposal }: { proposal: DisputeProposal }) {
  const { businessName, merchantId, mode, rail, paymentId, dueAt, message, action } = proposal;
  return (
    <DescriptionList
      items={[
        {
          label: 'Merchant',
          value: (
            <>
              <MerchantLink merchantId={merchantId} businessName={businessName} /> ({modeWord(mode)})
            </>
          ),
        },
        { label: 'Amount', value: <Amount value={proposal.amount} className="font-semibold" /> },
        { label: 'Provider account', value: rail },
        { label: 'Payment', value: <PaymentInLink paymentId={paymentId}>{paymentId}</PaymentInLink> },
        { label: 'Why', value: CATEGORIES[proposal.category] },
        ...(message === null ? [] : [{ label: 'The payer says', value: message }]),
        ...(action === 'OPEN'
          ? [{ label: 'Answer until', value: dueAt === null ? 'Not said' : <Moment at={dueAt} /> }]
          : []),
        { label: 'Known by', value: KNOWN_BY[proposal.source] },
        { label: 'What they saw', value: proposal.note },
        { label: 'Proposed by', value: proposal.proposedBy ?? 'a colleague' },
        { label: 'At', value: <Moment at={proposal.proposedAt} /> },
      ]}
    />
  );
}
