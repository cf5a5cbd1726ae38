import { Navigate } from '@tanstack/react-router';
import { Repeat } from 'lucide-react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { WaitingFor } from '../approvals/waiting-for.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { Timeline } from '../components/timeline.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { RequeryButton } from '../transactions/requery-button.tsx';
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
        actions={<Actions payout={payout} />}
      >
        <span aria-live="polite">{sentenceFor(status, reason)}</span>
      </PageHeader>
      <WaitingFor subjectId={transactionId} waits={status === 'PENDING_APPROVAL'} />
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

function Actions({ payout }: { payout: SinglePayout }) {
  const mode = useMode();
  const mayPay = useMay()('payout:write', mode);
  const { transactionId, status, purpose = 'GENERAL' } = payout;
  const { beneficiaryBankCode: bankCode, beneficiaryAccountNumber: accountNumber, narration } = payout;
  return (
    <>
      {status === 'SCHEDULED' && mayPay && <CancelSchedule scheduleId={transactionId} />}
      <ButtonLink to="/transactions/$transactionId" params={{ transactionId }}>
        Everything about it
      </ButtonLink>
      <RequeryButton transaction={payout} />
      {mayPay && (
        <ButtonLink
          to="/payouts/new"
          search={{ bankCode, accountNumber, amount: payout.amount.toFixed(2), narration, purpose }}
          look={payout.conclusive ? 'primary' : 'secondary'}
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
function Cost({ evidence: { transaction, transfers } }: { evidence: Evidence }) {
  const { status, amount, fee, vat, stampDuty, totalAmount } = transaction;
  const isReturned = status === 'REVERSED';
  if (isReturned || status === 'FAILED' || status === 'CANCELLED') {
    const wasHeld = isReturned || transfers.some(({ kind }) => kind === 'PENDING');
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
            ...(wasHeld ? back : []),
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
  const { sessionId } = payout;
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
function sentenceFor(status: string, reason: string | null): string {
  switch (status) {
    case 'PENDING_APPROVAL':
      return 'The money is held. It is sent as soon as another person has approved it.';
    case 'SCHEDULED':
      return 'It is sent at its time. Until then you can cancel it.';
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
      return 'The bank refused it. Amount and charges are back in the wallet.';
    case 'REVERSED':
      return 'The bank returned the money. It is back in the wallet.';
    case 'CANCELLED':
      return 'It was cancelled. Nothing left the wallet.';
    default:
      return '';
  }
}
