import { lazy, Suspense, useEffect, useState } from 'react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode, useSession } from '../api/session.ts';
import { ActionBar } from '../components/action-bar.tsx';
import { Alert } from '../components/alert.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { Timeline, type TimelineEntry } from '../components/timeline.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatMoney, lessMoney } from '../format/money.ts';
import { purposeWord } from '../format/purposes.ts';
import { shownIn } from './approval-facts.ts';
import { type Approval, endOf, KIND_WORDS } from './approval-words.ts';
import { DecideApproval } from './decide-approval.tsx';

/** Only where a list waits. */
const BatchDifference = lazy(() =>
  import('../batch-difference/batch-difference.tsx').then((part) => ({ default: part.BatchDifference })),
);

const LOOKS_AGAIN_MS = 4_000;

/** One approval: what is shown is what is approved, to the letter. */
export function ApprovalPage({ approvalId }: { approvalId: string }) {
  const now = useRead(
    '/approval/{approvalId}',
    { path: { approvalId } },
    { refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? LOOKS_AGAIN_MS : false) },
  );
  // What the person reads holds still: a change is announced, and shown when they ask for it.
  const [read, setRead] = useState<Approval>();
  const [notice, setNotice] = useState<string>();
  useEffect(() => {
    if (now.data !== undefined && (read === undefined || read.digest === now.data.digest)) setRead(now.data);
  }, [now.data, read]);

  const approval = read?.approvalId === approvalId ? read : undefined;
  if (approval === undefined) {
    return now.error === null ? <PageSkeleton /> : <ErrorState error={now.error} onRetry={now.refetch} />;
  }
  const isStale = now.data !== undefined && now.data.digest !== approval.digest;
  function showAnew(): void {
    setRead(now.data);
    setNotice(undefined);
  }
  return (
    <>
      <PageHeader
        title={approval.title}
        beside={<Status status={approval.status} />}
        back={{ to: '/approvals', label: 'All approvals' }}
      >
        {KIND_WORDS[approval.kind]}, created by {approval.madeBy.name}
        {approval.madeBy.via === 'DASHBOARD' && ' in the dashboard'}, <Moment at={approval.madeAt} />
      </PageHeader>
      <div className="mb-6 flex flex-col gap-3 empty:hidden" aria-live="polite">
        {isStale && (
          <Alert
            tone="warn"
            title="It has changed since you opened it"
            action={
              <Button size="small" onClick={showAnew}>
                Show it as it is now
              </Button>
            }
          >
            What you see below is no longer what would be approved.
          </Alert>
        )}
        {notice !== undefined && <Alert tone="warn">{notice}</Alert>}
        {approval.status !== 'PENDING' && (
          <Alert tone={approval.status === 'APPROVED' ? 'good' : 'info'}>{endOf(approval)}</Alert>
        )}
      </div>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          {approval.kind === 'BATCH' && approval.status === 'PENDING' && (
            <Suspense>
              <BatchDifference batchReference={shownIn(approval, 'batchReference') ?? ''} enabled />
            </Suspense>
          )}
          <Shown approval={approval} />
        </div>
        <aside className="min-w-0">
          <Section title={`${approval.given} of ${approval.needed} approvals`}>
            <Given approval={approval} />
          </Section>
        </aside>
      </div>
      {approval.status === 'PENDING' && !isStale && (
        <Deciding approval={approval} onNotice={setNotice} onChanged={() => void now.refetch()} />
      )}
    </>
  );
}

function Shown({ approval }: { approval: Approval }) {
  const { shown, amount, charges, total, currency, kind } = approval;
  const money = [
    { label: 'Amount', value: amount },
    { label: 'Charges', value: charges },
    { label: 'Leaves the wallet', value: total },
  ].filter(({ value }) => value !== null);
  return (
    <Section title="What is approved">
      {money.length > 0 && (
        <dl className="mb-5 grid grid-cols-2 gap-4 border-b pb-5 sm:grid-cols-3">
          {money.map(({ label, value }) => (
            <div key={label}>
              <dt className="text-xs text-muted">{label}</dt>
              <dd className="text-lg font-semibold">
                <Amount value={value} currency={currency} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <DescriptionList
        layout="rows"
        items={shown
          .filter(({ field }) => field !== 'itemsDigest')
          .map(({ field, label, value }) => ({
            label,
            value: field === 'purpose' ? purposeWord(value) : value,
          }))}
      />
      {kind === 'BATCH' && <BatchLink approval={approval} />}
      <Digests approval={approval} />
    </Section>
  );
}

/** For comparing what two people see, or what a program sent. */
function Digests({ approval }: { approval: Approval }) {
  const items = approval.shown.find(({ field }) => field === 'itemsDigest');
  return (
    <details className="mt-5 border-t pt-4 text-xs text-muted">
      <summary className="cursor-pointer">Digest</summary>
      <p className="mt-2">An approval is for exactly this and for nothing else.</p>
      <Copyable text={approval.digest} what="digest" />
      {items !== undefined && (
        <>
          <p className="mt-2">{items.label}</p>
          <Copyable text={items.value} what="digest of the items" />
        </>
      )}
    </details>
  );
}

/** The rows behind the totals. */
function BatchLink({ approval }: { approval: Approval }) {
  const batchReference = shownIn(approval, 'batchReference');
  if (batchReference === undefined) return null;
  return (
    <ButtonLink to="/bulk/$batchReference" params={{ batchReference }} className="mt-4">
      Look at the rows
    </ButtonLink>
  );
}

function Given({ approval }: { approval: Approval }) {
  const made: TimelineEntry = {
    key: 'made',
    at: approval.madeAt,
    title: `Created by ${approval.madeBy.name}`,
    detail: whenceOf(approval),
    tone: 'info',
  };
  const decisions = approval.decisions.map(
    ({ decision, by, note, at }): TimelineEntry => ({
      key: `${by.personId}-${at}`,
      at,
      title: `${decision === 'APPROVE' ? 'Approved' : 'Rejected'} by ${by.name}`,
      detail: note ?? undefined,
      tone: decision === 'APPROVE' ? 'good' : 'bad',
    }),
  );
  return (
    <>
      <Timeline entries={[made, ...decisions]} />
      {approval.status === 'PENDING' && (
        <p className="mt-4 text-xs text-muted">
          Runs out <Moment at={approval.expiresAt} />
        </p>
      )}
    </>
  );
}

/** How it was asked for, and from which address, where the person may see that. */
function whenceOf({ madeBy, madeFrom }: Approval): string {
  const how = madeBy.via === 'API' ? 'Over the API' : 'In the dashboard';
  return madeFrom === null ? how : `${how}, from ${madeFrom}`;
}

/** A list and a schedule hold nothing while they wait, so the last approval is refused where the wallet is short by then. */
function Shortage({ approval: { kind, total } }: { approval: Approval }) {
  const mayRead = useMay()('wallet:read', useMode());
  const isAsked = kind === 'BATCH' && total !== null && mayRead;
  const { data } = useRead('/wallet/merchant', {}, { enabled: isAsked, refetchInterval: LOOKS_AGAIN_MS });
  const available = data?.wallet.availableBalance;
  if (!isAsked || available === undefined || available >= total) return null;
  return (
    <p className="text-xs font-medium text-bad">
      The wallet has {formatMoney(available)}, {formatMoney(lessMoney(total, available))} too little. Add money first.
    </p>
  );
}

interface DecidingProps {
  approval: Approval;
  onNotice: (notice: string | undefined) => void;
  onChanged: () => void;
}

function Deciding(props: DecidingProps) {
  const { approval } = props;
  const { person } = useSession();
  const isMaker = approval.madeBy.personId === person.personId;
  return (
    <ActionBar label="Your decision">
      <div className="min-w-0">
        {approval.total !== null && (
          <>
            <p className="text-xs text-muted">With charges</p>
            <Amount value={approval.total} currency={approval.currency} className="font-semibold whitespace-nowrap" />
          </>
        )}
        <Shortage approval={approval} />
        {approval.whyNot !== null && <p className="text-xs text-muted">{approval.whyNot}</p>}
      </div>
      <div className="flex flex-1 flex-wrap justify-end gap-2">
        <DecideApproval {...props} mayWithdraw={isMaker} />
      </div>
    </ActionBar>
  );
}
