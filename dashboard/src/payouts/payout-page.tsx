import { Plus } from 'lucide-react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { WaitingFor } from '../approvals/waiting-for.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { CancelSchedule } from './payout-columns.tsx';

const FOLLOWS_MS = 1_500;
const LOOKS_MS = 10_000;

/** What became of a payout; it follows the bank by itself. */
export function PayoutPage({ transactionId }: { transactionId: string }) {
  const mode = useMode();
  const may = useMay();
  const payout = useRead(
    '/transaction/{transactionId}',
    { path: { transactionId } },
    { refetchInterval: ({ state }) => everyMs(state.data) },
  );
  if (payout.data === undefined) {
    return payout.error === null ? <PageSkeleton /> : <ErrorState error={payout.error} onRetry={payout.refetch} />;
  }
  const { status, reason, amount, beneficiaryAccountName } = payout.data;
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
        actions={
          <>
            {status === 'SCHEDULED' && may('payout:write', mode) && <CancelSchedule scheduleId={transactionId} />}
            <ButtonLink to="/transactions/$transactionId" params={{ transactionId }}>
              Everything about it
            </ButtonLink>
            {may('payout:write', mode) && (
              <ButtonLink to="/payouts/new" look="primary" icon={Plus}>
                Pay another
              </ButtonLink>
            )}
          </>
        }
      >
        <span aria-live="polite">{sentenceFor(status, reason)}</span>
      </PageHeader>
      <WaitingFor subjectId={transactionId} waits={status === 'PENDING_APPROVAL'} />
      <Section
        title={`${status === 'SUCCESS' ? 'Paid' : 'Amount'}`}
        actions={<Amount value={amount} className="text-xl font-semibold" />}
      >
        <Facts payout={payout.data} />
      </Section>
    </>
  );
}

function Facts({ payout }: { payout: SinglePayout }) {
  return (
    <DescriptionList
      items={[
        { label: 'Account', value: <Copyable text={payout.beneficiaryAccountNumber} what="account number" /> },
        { label: 'Bank', value: payout.beneficiaryBankName },
        { label: 'Name at the bank', value: payout.beneficiaryAccountName },
        { label: 'Charges', value: <Amount value={payout.charges} /> },
        { label: 'Leaves the wallet', value: <Amount value={payout.totalAmount} /> },
        { label: 'Narration', value: payout.narration },
        { label: 'Reference', value: <Copyable text={payout.reference} what="reference" /> },
        { label: 'Created', value: <Moment at={payout.createdAt} /> },
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

type SinglePayout = Data<'get', '/transaction/{transactionId}'>;

/** What the status of a payout means for whoever made it. */
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
