import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { WaitingFor } from '../approvals/waiting-for.tsx';
import { REFUND_WORDS, type Refund } from '../collections/refund-words.ts';
import { Alert } from '../components/alert.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { Timeline } from '../components/timeline.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { RefundDetailsDialog } from './refund-details-dialog.tsx';
import { CAUSE_WORDS, REFUND_SENTENCES, stepsOf, WAY_WORDS } from './refund-steps.ts';

const LOOK_EVERY_MS = 5_000;

/** One refund: its steps, and what somebody has to do for it. */
export function RefundPage({ refundId }: { refundId: string }) {
  const { data, error, refetch } = useRead(
    '/collection/refund/{refundId}',
    { path: { refundId } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  if (data === undefined) return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />;
  const { refund, evidence } = data;
  const { status, reason } = refund;
  return (
    <>
      <PageHeader
        title={refund.note ?? 'Refund'}
        beside={<Status status={status} reason={reason} word={REFUND_WORDS[status]} />}
        back={{ to: '/collections/refunds', label: 'All refunds' }}
        actions={<Links refund={refund} />}
      >
        <span aria-live="polite">{REFUND_SENTENCES[status]}</span>
      </PageHeader>
      <WaitingFor subjectId={refundId} waits={status === 'PENDING_APPROVAL'} />
      {status === 'NEEDS_DETAILS' && <NeedsAccount refundId={refundId} />}
      <Section title="Steps" about="What was asked and answered about it, in order.">
        <Timeline entries={stepsOf(refund, evidence)} />
      </Section>
      <Section title="What goes back">
        <Facts refund={refund} />
      </Section>
    </>
  );
}

function Links({ refund: { refundId, status, paymentId, payoutTransactionId } }: { refund: Refund }) {
  return (
    <>
      {status === 'SUCCESS' && (
        <DownloadButton address={`/collection/refund/${refundId}/receipt`} fileName={`refund-${refundId}.pdf`}>
          Receipt
        </DownloadButton>
      )}
      <ButtonLink to="/collections" search={{ payment: paymentId }}>
        See the payment
      </ButtonLink>
      {payoutTransactionId !== null && (
        <ButtonLink to="/transactions/$transactionId" params={{ transactionId: payoutTransactionId }}>
          See the payout
        </ButtonLink>
      )}
    </>
  );
}

function NeedsAccount({ refundId }: { refundId: string }) {
  const mayGive = useMay()('collection:write', useMode());
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Alert
        tone="warn"
        title="The payer’s account is needed"
        className="mb-6"
        action={
          mayGive && (
            <Button size="small" onClick={() => setOpen(true)}>
              Give the account
            </Button>
          )
        }
      >
        {mayGive ? 'Ask the payer for it if you do not know it.' : 'Somebody who may refund payments has to give it.'}
      </Alert>
      {isOpen && <RefundDetailsDialog refundId={refundId} onClose={() => setOpen(false)} />}
    </>
  );
}

function Facts({ refund }: { refund: Refund }) {
  const { account, reference, providerReference } = refund;
  return (
    <DescriptionList
      items={[
        { label: 'Amount', value: <Amount value={refund.amount} className="font-semibold" /> },
        { label: 'How it goes back', value: WAY_WORDS[refund.way] },
        { label: 'Why', value: CAUSE_WORDS[refund.cause] },
        {
          label: 'Payer’s account',
          value: account === null ? null : `${account.accountName}, ${account.accountNumber}`,
        },
        { label: 'Your reference', value: reference === null ? null : <Copyable text={reference} what="reference" /> },
        {
          label: 'Provider’s reference',
          value:
            providerReference === null ? null : <Copyable text={providerReference} what="reference of the provider" />,
        },
        { label: 'Refund id', value: <Copyable text={refund.refundId} what="refund id" /> },
        { label: 'Asked for', value: <Moment at={refund.createdAt} /> },
        { label: 'Last change', value: <Moment at={refund.updatedAt} /> },
      ].filter(({ value }) => value !== null)}
    />
  );
}
