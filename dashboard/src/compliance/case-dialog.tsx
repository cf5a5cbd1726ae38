import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Button } from '../components/button.tsx';
import { CloseProposalDialog } from '../components/close-proposal-dialog.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ConfirmDialog, Dialog } from '../components/dialog.tsx';
import { NoteDialog } from '../components/note-dialog.tsx';
import { MerchantLink, PaymentInLink, PayoutLink } from '../components/operator-links.tsx';
import { Badge } from '../components/status.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { CASE_REASONS, CASE_STATES, type ComplianceCase } from './compliance-words.ts';

interface CaseDialogProps {
  found: ComplianceCase;
  onClose: () => void;
}

interface LookedAtProps extends CaseDialogProps {
  /** On the page of what is held: there is no way to it. */
  isOnItsPage?: boolean;
}

type Doing = 'PROPOSE' | 'CONFIRM' | 'CLOSE';

/** One payment or payout that is held: why, and what can be done about it. */
export function CaseDialog({ found, isOnItsPage = false, onClose }: LookedAtProps) {
  const [doing, setDoing] = useState<Doing>();
  if (doing === 'PROPOSE') return <ProposeReleaseDialog found={found} onClose={onClose} />;
  if (doing === 'CONFIRM') return <ConfirmReleaseDialog found={found} onClose={onClose} />;
  if (doing === 'CLOSE') return <CloseReleaseDialog found={found} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={CASE_REASONS[found.reason]}
      actions={<Actions found={found} start={setDoing} />}
    >
      <CaseFacts found={found} />
      <p className="mt-4 text-sm text-muted">{wayOut(found)}</p>
      <p className="mt-2 flex flex-wrap gap-4 text-sm">
        {!isOnItsPage && <SubjectLink found={found} />}
        {found.reason === 'FROZEN' && (
          <Link className="text-accent underline" to="/operator/freezes" search={{ freeze: found.cause }}>
            The freeze
          </Link>
        )}
      </p>
    </Dialog>
  );
}

function SubjectLink({ found: { subjectType, subjectId } }: { found: ComplianceCase }) {
  return subjectType === 'PAYMENT' ? (
    <PaymentInLink paymentId={subjectId}>The payment</PaymentInLink>
  ) : (
    <PayoutLink payoutId={subjectId}>The payout</PayoutLink>
  );
}

function wayOut({ status, subjectType, reason }: ComplianceCase): string {
  if (status !== 'OPEN') return 'Nothing is to be decided any more.';
  if (subjectType === 'PAYMENT') return 'Two people say on its page whether it is credited or goes back.';
  if (reason === 'FROZEN') return 'It goes once the freeze is lifted; two people may fail it on its page.';
  return 'Two people release it here, or fail it on its page.';
}

function Actions({ found, start }: { found: ComplianceCase; start: (doing: Doing) => void }) {
  const { subjectType, status, reason, proposal } = found;
  const mayRelease = status === 'OPEN' && subjectType === 'PAYOUT' && reason !== 'FROZEN';
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {mayRelease && proposal === null && <Button onClick={() => start('PROPOSE')}>Propose to release it</Button>}
      {mayRelease && proposal !== null && (
        <Button onClick={() => start('CLOSE')}>
          {proposal.isMine ? 'Withdraw the proposal' : 'Reject the proposal'}
        </Button>
      )}
      {mayRelease && proposal !== null && !proposal.isMine && (
        <Button look="primary" onClick={() => start('CONFIRM')}>
          Release the payout
        </Button>
      )}
    </div>
  );
}

function CaseFacts({ found }: CaseFactsProps) {
  const { status, amount, partyName, partyAccountNumber, partyBankName, businessName, merchantId, openedAt } = found;
  const { subjectType, facts, proposal, sessionId } = found;
  const party = [partyName, partyAccountNumber, partyBankName].filter((part) => part !== null).join(', ');
  return (
    <DescriptionList
      layout="rows"
      items={[
        { label: 'State', value: <Badge tone={CASE_STATES[status].tone}>{CASE_STATES[status].word}</Badge> },
        { label: subjectType === 'PAYMENT' ? 'Payer' : 'Payee', value: party },
        { label: 'Amount', value: amount === null ? 'unknown' : <Amount value={amount} /> },
        { label: 'Merchant', value: <MerchantLink merchantId={merchantId} businessName={businessName} /> },
        { label: 'Held since', value: <Moment at={openedAt} /> },
        ...(sessionId === null ? [] : [{ label: 'Session ID', value: sessionId }]),
        { label: 'Found', value: <code className="text-xs wrap-anywhere">{JSON.stringify(facts)}</code> },
        ...(proposal === null
          ? []
          : [{ label: 'Release', value: `${proposal.proposedBy ?? 'A colleague'}: ${proposal.note}` }]),
      ]}
    />
  );
}

type CaseFactsProps = { found: ComplianceCase };

function ProposeReleaseDialog({ found: { merchantId, mode, caseId }, onClose }: CaseDialogProps) {
  const propose = useAction('post', '/operator/compliance-case/release', { changes: ['/operator'] });
  return (
    <NoteDialog
      title="Propose to release the payout"
      description="It is held until another person confirms it."
      done="Proposed. Another person confirms it."
      onSend={(note) => propose.run({ body: { merchantId, mode, caseId, note } })}
      onClose={onClose}
    />
  );
}

function ConfirmReleaseDialog({ found, onClose }: CaseDialogProps) {
  const confirm = useAction('post', '/operator/compliance-proposal/confirm', { changes: ['/operator'] });
  const { proposal } = found;
  async function go(): Promise<void> {
    if (proposal !== null) await confirm.run({ body: { proposalId: proposal.proposalId, digest: proposal.digest } });
  }
  return (
    <ConfirmDialog open onClose={onClose} title="Release this payout?" confirm="Release it" danger onConfirm={go}>
      <CaseFacts found={found} />
      <p>It is sent at once, and cannot be called back.</p>
    </ConfirmDialog>
  );
}

function CloseReleaseDialog({ found: { proposal }, onClose }: CaseDialogProps) {
  const reject = useAction('post', '/operator/compliance-proposal/reject', { changes: ['/operator'] });
  const withdraw = useAction('post', '/operator/compliance-proposal/withdraw', { changes: ['/operator'] });
  if (proposal === null) return null;
  const { proposalId, isMine } = proposal;
  return (
    <CloseProposalDialog
      what="proposal"
      isMine={isMine}
      description="The payout is held as before."
      onSend={(reason) => (isMine ? withdraw : reject).run({ body: { proposalId, reason } })}
      onClose={onClose}
    />
  );
}
