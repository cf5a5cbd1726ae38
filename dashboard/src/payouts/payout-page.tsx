import { Plus } from 'lucide-react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { WaitingFor } from '../approvals/waiting-for.tsx';
import { ButtonLink } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { Amount, Copyable, Moment } from '../components/values.tsx';
import { CancelSchedule } from './cancel-schedule.tsx';
import { type SinglePayout, sentenceFor } from './single-words.ts';

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
        { label: 'Made', value: <Moment at={payout.createdAt} /> },
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
