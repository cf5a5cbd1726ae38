import { Navigate } from '@tanstack/react-router';
import { Repeat } from 'lucide-react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { WaitingFor } from '../approvals/waiting-for.tsx';
import { Alert } from '../components/alert.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { showStatus } from '../components/status-words.ts';
import { Timeline } from '../components/timeline.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatMoment } from '../format/time.ts';
import { RequeryButton } from '../transactions/requery-button.tsx';
import { MAY_HAVE_ARRIVED, mayHaveArrived, wasHeld } from '../transactions/what-became.ts';
import { CancelSchedule } from './payout-columns.tsx';
import { type Evidence, stepsOf } from './payout-progress.ts';
import { ReceiptSection } from './receipt-section.tsx';

const FOLLOWS_MS = 1_500;
const LOOKS_MS = 10_000;

/** What became of a payout; it follows the bank by itself. */
export function PayoutPage({ transactionId }: { transactionId: string }) {
  const evidence = useRead(
    '/transaction/{transactionId}/evidence',
    { path: { transactionId } },
    { refetchInterval: ({ state }) => everyMs(state.data?.transaction) },
  );
  if (evidence.data === undefined) {
    return evidence.error === null ? (
      <PageSkeleton />
    ) : (
      <ErrorState error={evidence.error} onRetry={evidence.refetch} />
    );
  }
  const { transaction: payout } = evidence.data;
  const { status, reason, beneficiaryAccountName } = payout;
  const isUncertain = mayHaveArrived(evidence.data);
  if (payout.category !== 'PAYOUT')
    return <Navigate to="/transactions/$transactionId" params={{ transactionId }} replace />;
  return (
    <>
      <PageHeader
        title={`Payout to ${beneficiaryAccountName}`}
        beside={<Status status={status} reason={reason} />}
        back={
          status === 'SCHEDULED'
            ? { to: '/payouts/scheduled', label: 'Scheduled payouts' }
            : { to: '/payouts', label: 'All payouts' }
        }
        actions={<Actions payout={payout} mayPayAgain={payout.conclusive && !isUncertain} />}
      >
        <span aria-live="polite">{isUncertain ? '' : sentenceFor(evidence.data)}</span>
      </PageHeader>
      <WaitingFor subjectId={transactionId} waits={status === 'PENDING_APPROVAL'} />
      {isUncertain && (
        <Alert tone={MAY_HAVE_ARRIVED.tone} title={MAY_HAVE_ARRIVED.title} className="mb-6">
          {MAY_HAVE_ARRIVED.text}
        </Alert>
      )}
      <div className="grid gap-x-6 lg:grid-cols-3">
        <div className="lg:col-span-2">
          <Progress evidence={evidence.data} />
        </div>
        <Cost evidence={evidence.data} />
      </div>
      {status === 'SUCCESS' && <ReceiptSection transactionId={transactionId} reference={payout.reference} />}
      <Section title="To whom, and for what">
        <Facts payout={payout} />
      </Section>
    </>
  );
}

/** Nothing is paid again whose end is not known: that is how somebody is paid twice. */
function Actions({ payout, mayPayAgain }: { payout: SinglePayout; mayPayAgain: boolean }) {
  const mode = useMode();
  const mayPay = useMay()('payout:write', mode);
  const { transactionId, status, purpose = 'GENERAL' } = payout;
  const { beneficiaryBankCode: bankCode, beneficiaryAccountNumber: accountNumber, narration } = payout;
  return (
    <>
      {status === 'SCHEDULED' && mayPay && <CancelSchedule payout={payout} />}
      <ButtonLink to="/transactions/$transactionId" params={{ transactionId }}>
        Everything about it
      </ButtonLink>
      <RequeryButton transaction={payout} />
      {mayPay && mayPayAgain && (
        <ButtonLink
          to="/payouts/new"
          search={{ bankCode, accountNumber, amount: payout.amount.toFixed(2), narration, purpose }}
          look="primary"
          icon={Repeat}
        >
          Pay again
        </ButtonLink>
      )}
    </>
  );
}

/** From its making to its end, with who approved it. */
function Progress({ evidence }: { evidence: Evidence }) {
  const approvalId = evidence.approvalId ?? undefined;
  const mayRead = useMay()('approval:read', useMode());
  const approval = useRead(
    '/approval/{approvalId}',
    { path: { approvalId: approvalId ?? '' } },
    { enabled: approvalId !== undefined && mayRead },
  );
  const steps = stepsOf(evidence, approval.data);
  return (
    <Section title="Progress">
      <Timeline entries={steps.map(({ key, at, title, text, tone }) => ({ key, at, title, detail: text, tone }))} />
    </Section>
  );
}

/** What it cost, and what left the wallet; of one that was not paid, that all of it is back. */
function Cost({ evidence }: { evidence: Evidence }) {
  const { transaction } = evidence;
  const { status, amount, fee, vat, stampDuty, totalAmount } = transaction;
  const isReturned = status === 'REVERSED';
  if (isReturned || status === 'FAILED' || status === 'CANCELLED') {
    const back = [
      { label: isReturned ? 'Left the wallet' : 'Was held', value: <Amount value={totalAmount} /> },
      { label: 'Came back, with all charges', value: <Amount value={totalAmount} /> },
    ];
    return (
      <Section title="What it cost">
        <DescriptionList
          layout="rows"
          items={[
            { label: 'Amount', value: <Amount value={amount} /> },
            ...(isReturned || wasHeld(evidence) ? back : []),
            { label: 'Cost in the end', value: <Amount value={0} className="font-semibold" /> },
          ]}
        />
      </Section>
    );
  }
  return (
    <Section title="What it cost">
      <DescriptionList
        layout="rows"
        items={[
          { label: 'Amount', value: <Amount value={amount} className="font-semibold" /> },
          { label: 'Fee', value: <Amount value={fee} /> },
          { label: 'VAT on the fee', value: <Amount value={vat} /> },
          ...(stampDuty === undefined || stampDuty === 0
            ? []
            : [{ label: 'Stamp duty', value: <Amount value={stampDuty} /> }]),
          { label: 'Leaves the wallet', value: <Amount value={totalAmount} className="font-semibold" /> },
        ]}
      />
    </Section>
  );
}

function Facts({ payout }: { payout: SinglePayout }) {
  const { sessionId, scheduledFor } = payout;
  return (
    <DescriptionList
      items={[
        { label: 'Account', value: <Copyable text={payout.beneficiaryAccountNumber} what="account number" /> },
        { label: 'Bank', value: payout.beneficiaryBankName },
        { label: 'Name at the bank', value: payout.beneficiaryAccountName },
        { label: 'Narration', value: payout.narration },
        { label: 'Reference', value: <Copyable text={payout.reference} what="reference" /> },
        ...(typeof sessionId === 'string'
          ? [{ label: 'Session id', value: <Copyable text={sessionId} what="session id" /> }]
          : []),
        ...(typeof scheduledFor === 'string' ? [{ label: 'Scheduled for', value: <Moment at={scheduledFor} /> }] : []),
        { label: 'Paid', value: <Moment at={payout.paidAt} /> },
      ]}
    />
  );
}

function everyMs(payout: SinglePayout | undefined): number | false {
  if (payout === undefined) return false;
  if (payout.status === 'QUEUED' || payout.status === 'PROCESSING') return FOLLOWS_MS;
  return payout.conclusive ? false : LOOKS_MS;
}

type SinglePayout = Evidence['transaction'];

/** What the status of a payout means for the person who made it. */
function sentenceFor(evidence: Evidence): string {
  const { status, reason, scheduledFor } = evidence.transaction;
  const day = typeof scheduledFor === 'string' ? formatMoment(scheduledFor) : undefined;
  switch (status) {
    case 'PENDING_APPROVAL':
      return day === undefined
        ? 'The money is held. It is sent as soon as another person has approved it.'
        : `Nothing is held yet. Once another person has approved it, it is sent on ${day}.`;
    case 'SCHEDULED':
      return `It is sent ${day === undefined ? 'at its time' : `on ${day}`}. Nothing is held until then, and you can cancel it.`;
    case 'QUEUED':
      return reason === null
        ? 'The money is held and the payout is next in line.'
        : 'The money is held. Nothing was sent yet, because of a problem on our side; it is sent automatically. Do not pay it a second time.';
    case 'PROCESSING':
      return reason === 'OUTCOME_UNKNOWN'
        ? 'The bank has not said what became of it. The money stays held and the bank is asked again. Do not pay it a second time.'
        : 'It is with the bank. This page follows it.';
    case 'SUCCESS':
      return 'The bank has confirmed it.';
    case 'FAILED':
      return failureOf(evidence);
    case 'REVERSED':
      return 'The bank returned the money. It is back in the wallet.';
    case 'CANCELLED':
      return 'It was cancelled. Nothing left the wallet.';
    default:
      return '';
  }
}

/** Only what was sent can be refused by a bank: a schedule may end before, for want of money in the wallet. */
function failureOf(evidence: Evidence): string {
  const { transaction, attempts = [] } = evidence;
  const why = transaction.reason === null ? '' : `${showStatus(transaction.reason).word}. `;
  if (!wasHeld(evidence)) return `${why}It was not sent, and nothing left the wallet.`;
  const wasSent = attempts.some(({ kind }) => kind === 'SEND');
  const refused = wasSent ? 'The bank refused it.' : `${why}It was not sent.`;
  return `${refused} Amount and charges are back in the wallet.`;
}
