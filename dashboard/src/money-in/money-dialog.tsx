import { useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Dialog } from '../components/dialog.tsx';
import { MerchantLink, PaymentInLink } from '../components/operator-links.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { CloseSuspenseDialog } from './close-suspense-dialog.tsx';
import {
  ACTION_WORDS,
  EFFECT_WORDS,
  nameOf,
  type Proposal,
  type ResultWords,
  reasonOf,
  SOURCE_WORDS,
  STATUS_WORDS,
  type SuspenseEntry,
  voidWords,
} from './money-words.ts';
import { ProposeDialog } from './propose-dialog.tsx';
import { useDecisions } from './use-decisions.ts';

interface MoneyDialogProps {
  money: SuspenseEntry;
  onClose: () => void;
}

/** What is known of money that waits, what is proposed about it, and what may be done. */
export function MoneyDialog({ money, onClose }: MoneyDialogProps) {
  const [step, setStep] = useState<'look' | 'propose' | 'close'>('look');
  if (step === 'propose') return <ProposeDialog money={money} onClose={onClose} />;
  if (step === 'close' && money.proposal !== null) {
    return <CloseSuspenseDialog money={money} proposal={money.proposal} onClose={onClose} />;
  }
  return (
    <Look money={money} onClose={onClose} onPropose={() => setStep('propose')} onReject={() => setStep('close')} />
  );
}

function Look({
  money,
  onClose,
  onPropose,
  onReject,
}: MoneyDialogProps & { onPropose: () => void; onReject: () => void }) {
  const { proposal } = money;
  const { confirm, ask } = useDecisions(money);
  const isBusy = confirm.isPending || ask.isPending;
  const isVoid = proposal !== null && voidWords(proposal) !== undefined;
  // What comes while somebody reads puts Confirm where Propose was: it is there for what was read.
  const [read, setRead] = useState(proposal);
  const isNew = proposal !== null && !proposal.isMine && read?.digest !== proposal.digest;

  async function go(work: () => Promise<ResultWords | undefined>): Promise<void> {
    try {
      const said = await work();
      if (said !== undefined) toast(said);
    } catch {
      // The dialog says it.
      return;
    }
    onClose();
  }

  const actions = (
    <>
      <Button onClick={onClose} disabled={isBusy}>
        Close
      </Button>
      {money.kind === 'CREDIT' && (
        <Button busy={ask.isPending} disabled={isBusy} onClick={() => void go(ask.run)}>
          Ask the provider again
        </Button>
      )}
      {(proposal === null || proposal.isStale) && (
        <Button look="primary" onClick={onPropose} disabled={isBusy}>
          Propose
        </Button>
      )}
      {proposal !== null && (
        <Button look="danger" onClick={onReject} disabled={isBusy}>
          {proposal.isMine ? 'Withdraw' : 'Reject'}
        </Button>
      )}
      {proposal !== null && !proposal.isMine && !isVoid && !isNew && (
        <Button look="primary" busy={confirm.isPending} disabled={isBusy} onClick={() => void go(confirm.run)}>
          Confirm
        </Button>
      )}
    </>
  );
  const error = confirm.error ?? ask.error;
  return (
    <Dialog open onClose={onClose} title={`Money of ${nameOf(money)}`} kind="wide" locked={isBusy} actions={actions}>
      <div className="flex flex-col gap-5">
        {isNew && (
          <Alert
            tone="warn"
            title="A colleague proposed this while you were reading"
            action={
              <Button size="small" onClick={() => setRead(proposal)}>
                I have read it
              </Button>
            }
          />
        )}
        <Facts money={money} />
        {money.paymentId !== null && (
          <p className="text-sm">
            <PaymentInLink paymentId={money.paymentId}>All that is known of it</PaymentInLink>
          </p>
        )}
        {proposal !== null && <Proposed proposal={proposal} />}
        {error !== undefined && <Alert tone="bad">{messageOf(error)}</Alert>}
      </div>
    </Dialog>
  );
}

function Facts({ money }: { money: SuspenseEntry }) {
  const { amount, currency, isConfirmed, payer, sessionId, reason, accountNumber, narration } = money;
  return (
    <DescriptionList
      items={[
        { label: 'Status', value: STATUS_WORDS[money.status] },
        ...(reason === null ? [] : [{ label: 'Why', value: reasonOf(reason) }]),
        {
          label: isConfirmed ? 'Amount' : 'Amount as reported',
          value: amount === null ? 'Unknown' : <Amount value={amount} currency={currency} />,
        },
        {
          label: 'Merchant',
          value:
            money.merchantId === null ? (
              'Nobody known'
            ) : (
              <MerchantLink merchantId={money.merchantId} businessName={money.businessName} />
            ),
        },
        { label: 'Mode', value: money.mode === 'LIVE' ? 'Live' : 'Sandbox' },
        { label: 'Provider account', value: money.rail },
        ...(accountNumber === null
          ? []
          : [{ label: 'Paid to', value: <Copyable text={accountNumber} what="account number" /> }]),
        {
          label: 'Payer',
          value: [payer.name, payer.accountNumber, payer.bankName].filter(Boolean).join(', ') || 'Unknown',
        },
        ...(narration === null ? [] : [{ label: 'Narration', value: narration }]),
        ...(sessionId === null
          ? []
          : [{ label: 'Session id', value: <Copyable text={sessionId} what="session id" /> }]),
        { label: 'Waits since', value: <Moment at={money.since} /> },
      ]}
    />
  );
}

function Proposed({ proposal }: { proposal: Proposal }) {
  const { wallet, action } = proposal;
  const noLonger = voidWords(proposal);
  return (
    <>
      <DescriptionList
        items={[
          { label: 'Proposed', value: ACTION_WORDS[action] },
          ...(wallet === null
            ? []
            : [
                {
                  label: 'Wallet',
                  value: `${wallet.accountName}, ${wallet.accountNumber}, of ${wallet.businessName ?? wallet.merchantId}`,
                },
              ]),
          { label: 'How it is known', value: SOURCE_WORDS[proposal.source] },
          { label: 'What they saw', value: proposal.note },
          { label: 'By', value: proposal.proposedBy.email ?? 'a colleague' },
          { label: 'At', value: <Moment at={proposal.proposedAt} /> },
        ]}
      />
      {noLonger !== undefined && (
        <Alert tone={proposal.isAltered ? 'bad' : 'warn'} title={noLonger.title}>
          {noLonger.text}
        </Alert>
      )}
      {noLonger === undefined && proposal.isMine && (
        <p className="text-muted">You proposed it: another person has to confirm it.</p>
      )}
      {noLonger === undefined && !proposal.isMine && (
        <Alert tone="warn" title="This cannot be undone">
          {EFFECT_WORDS[action]}
        </Alert>
      )}
    </>
  );
}
