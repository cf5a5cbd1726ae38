import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import type { Data, RecordOf } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { CloseProposalDialog } from '../components/close-proposal-dialog.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Dialog } from '../components/dialog.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { MerchantLink } from '../components/operator-links.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { formatBytes } from '../format/text.ts';

export type ManualCredit = RecordOf<'/operator/manual-credit'>;

type Evidence = Data<'get', '/operator/merchant/{merchantId}/manual-credit/{manualCreditId}'>;

interface CreditDialogProps {
  credit: ManualCredit;
  onClose: () => void;
}

/** What the second person looks at before they decide, and where they do. */
export function CreditDialog({ credit, onClose }: CreditDialogProps) {
  const { merchantId, manualCreditId, mode } = credit;
  const [isClosing, setClosing] = useState(false);
  const { data, error, refetch } = useRead('/operator/merchant/{merchantId}/manual-credit/{manualCreditId}', {
    path: { merchantId, manualCreditId },
    query: { mode },
  });
  if (isClosing && data !== undefined) return <CloseCreditDialog credit={data} onClose={onClose} />;
  const title = `Credit of ${credit.payerName}`;
  if (data === undefined) {
    return (
      <Dialog open onClose={onClose} title={title} kind="wide">
        {error === null ? <Skeleton className="h-56 w-full" /> : <ErrorState error={error} onRetry={refetch} />}
      </Dialog>
    );
  }
  return <Decision title={title} credit={data} onReject={() => setClosing(true)} onClose={onClose} />;
}

interface DecisionProps {
  title: string;
  credit: Evidence;
  onReject: () => void;
  onClose: () => void;
}

function Decision({ title, credit, onReject, onClose }: DecisionProps) {
  const approve = useAction('post', '/operator/manual-credit/approve', { changes: ['/operator'] });
  const { merchantId, mode, manualCreditId, digest, isMine, isAltered } = credit;
  const isOpen = credit.status === 'PENDING';

  async function go(): Promise<void> {
    try {
      await approve.run({ body: { merchantId, mode, manualCreditId, digest } });
    } catch {
      // The dialog says it.
      return;
    }
    toast({ tone: 'good', text: 'The wallet is credited.' });
    onClose();
  }

  const actions = (
    <>
      <Button onClick={onClose} disabled={approve.isPending}>
        Close
      </Button>
      {isOpen && (
        <Button look="danger" onClick={onReject} disabled={approve.isPending}>
          {isMine ? 'Withdraw' : 'Reject'}
        </Button>
      )}
      {isOpen && !isMine && !isAltered && (
        <Button look="primary" busy={approve.isPending} onClick={() => void go()}>
          Approve the credit
        </Button>
      )}
    </>
  );
  return (
    <Dialog open onClose={onClose} title={title} kind="wide" locked={approve.isPending} actions={actions}>
      <div className="flex flex-col gap-5">
        <Noticed credit={credit} />
        <CreditFacts credit={credit} />
        <DocumentOf credit={credit} />
        {isOpen && isMine && <p className="text-muted">You proposed it: another person has to approve it.</p>}
        {isOpen && !isMine && !isAltered && (
          <Alert tone="warn" title="The wallet has the money at once">
            The merchant may pay it out from then on. This cannot be undone.
          </Alert>
        )}
        {approve.error !== undefined && <Alert tone="bad">{messageOf(approve.error)}</Alert>}
      </div>
    </Dialog>
  );
}

/** What should be known before anybody approves. */
function Noticed({ credit: { problems, isAltered, status } }: { credit: Evidence }) {
  return (
    <>
      {isAltered && (
        <Alert tone="bad" title="This is not what was proposed">
          It was altered in the database. It cannot be approved; find out who did it.
        </Alert>
      )}
      {status === 'PENDING' &&
        problems.map(({ code, message }) => (
          <Alert key={`${code}${message}`} tone="warn">
            {message}
          </Alert>
        ))}
    </>
  );
}

function CreditFacts({ credit }: { credit: Evidence }) {
  const { businessName, merchantId, mode, amount, currency, bankName, bankReference, receivedOn, payerName } = credit;
  const { walletAccountName, walletAccountNumber, decidedBy, decidedAt, reason } = credit;
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
        { label: 'Wallet', value: walletAccountName },
        { label: 'Its account number', value: <Copyable text={walletAccountNumber} what="account number" /> },
        { label: 'Amount', value: <Amount value={amount} currency={currency} /> },
        { label: 'Arrived at', value: bankName },
        { label: 'Reference of the bank', value: <Copyable text={bankReference} what="reference" /> },
        { label: 'Received on', value: <Moment at={receivedOn} show="day" /> },
        { label: 'Who paid', value: payerName },
        { label: 'Proposed by', value: credit.proposedBy.email ?? 'a colleague' },
        { label: 'At', value: <Moment at={credit.proposedAt} /> },
        { label: 'What they saw', value: credit.note },
        ...(decidedBy === null
          ? []
          : [
              { label: 'Status', value: <Status status={credit.status} /> },
              { label: 'Decided by', value: decidedBy.email ?? 'a colleague' },
              { label: 'Decided', value: <Moment at={decidedAt} /> },
            ]),
        ...(reason === null ? [] : [{ label: 'Why', value: reason }]),
      ]}
    />
  );
}

function DocumentOf({ credit: { merchantId, manualCreditId, mode, document } }: { credit: Evidence }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-y py-4">
      <p className="min-w-0 break-all">
        {document.fileName} <span className="text-xs text-muted">{formatBytes(document.bytes)}</span>
      </p>
      <DownloadButton
        size="small"
        address={`/operator/merchant/${merchantId}/manual-credit/${manualCreditId}/document?mode=${mode}`}
        fileName={document.fileName}
      >
        Save the document
      </DownloadButton>
    </div>
  );
}

/** Turns a colleague's credit down, or takes one's own back. Its reference may be proposed again. */
function CloseCreditDialog({ credit, onClose }: { credit: Evidence; onClose: () => void }) {
  const how = credit.isMine ? 'withdraw' : 'reject';
  const close = useAction('post', `/operator/manual-credit/${how}`, { changes: ['/operator'] });
  const { merchantId, mode, manualCreditId, isMine } = credit;
  return (
    <CloseProposalDialog
      what="credit"
      isMine={isMine}
      description="Nothing moves. The reference of the bank may be proposed again."
      onSend={(reason) => close.run({ body: { merchantId, mode, manualCreditId, reason } })}
      onClose={onClose}
    />
  );
}
