import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Section } from '../components/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { formatDistance } from '../format/time.ts';
import { FloatCover } from './float-cover.tsx';
import { railsText } from './rails.ts';
import { Receivables } from './receivables.tsx';

type Figures = Data<'get', '/operator/overview/figures'>;
type Rail = Figures['rails'][number];
type Queue = Figures['queues'][number];

const RailChart = lazy(() => import('./rail-chart.tsx').then((part) => ({ default: part.RailChart })));

const LOOK_EVERY_MS = 30_000;
/** Seconds are normal: a worker counts behind the books. */
const LATE_MS = 5 * 60_000;

/** How rails, floats and queues stand: all of one moment, and what is not known said as that. */
export function OperatorFigures() {
  const { data, error, refetch } = useRead('/operator/overview/figures', {}, { refetchInterval: LOOK_EVERY_MS });
  if (data === undefined) {
    return error === null ? <Skeleton className="mb-8 h-72 w-full" /> : <ErrorState error={error} onRetry={refetch} />;
  }
  return (
    <>
      <Rails figures={data} />
      <OldestUnknown oldest={data.oldestUnknown} at={data.at} />
      <FloatCover covers={data.floatCover} />
      <Queues queues={data.queues} at={data.at} />
      <Receivables receivables={data.receivables} />
      <Review review={data.review} at={data.at} />
    </>
  );
}

const NOT_KNOWN = <span className="text-muted">Not known</span>;

const percent = (part: number | null): ReactNode =>
  part === null ? NOT_KNOWN : <span className="figures">{`${(Math.floor(part * 1_000) / 10).toFixed(1)} %`}</span>;

/** `840 ms`, `3.2 s`, `14 min`, `5.0 h`. */
function durationText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}

const duration = (ms: number | null): ReactNode =>
  ms === null ? NOT_KNOWN : <span className="figures">{durationText(ms)}</span>;

const volume = ({ succeeded, succeededAmount }: Rail['today']): ReactNode => (
  <>
    <Amount value={succeededAmount} />
    <span className="block text-xs text-muted">{formatCount(succeeded)} paid</span>
  </>
);

const RAIL_COLUMNS: readonly Column<Rail>[] = [
  {
    key: 'rail',
    header: 'Rail',
    cell: ({ rail, mode }) => <span className="font-medium">{railsText([rail], mode)}</span>,
  },
  { key: 'today', header: 'Today', align: 'right', cell: ({ today }) => volume(today) },
  { key: 'rate', header: 'Success', align: 'right', cell: ({ today }) => percent(today.successRate) },
  { key: 'p50', header: 'Median', align: 'right', wideOnly: true, cell: ({ today }) => duration(today.p50Ms) },
  { key: 'p95', header: '95th percentile', align: 'right', wideOnly: true, cell: ({ today }) => duration(today.p95Ms) },
  { key: 'week', header: '7 days', align: 'right', wideOnly: true, cell: ({ week }) => volume(week) },
  {
    key: 'weekRate',
    header: 'Success, 7 days',
    align: 'right',
    wideOnly: 'xl',
    cell: ({ week }) => percent(week.successRate),
  },
  {
    key: 'weekP50',
    header: 'Median, 7 days',
    align: 'right',
    wideOnly: 'xl',
    cell: ({ week }) => duration(week.p50Ms),
  },
  {
    key: 'weekP95',
    header: '95th percentile, 7 days',
    align: 'right',
    wideOnly: 'xl',
    cell: ({ week }) => duration(week.p95Ms),
  },
];

function Rails({ figures: { rails, at, behindSince } }: { figures: Figures }) {
  const isLate = behindSince !== null && new Date(at).getTime() - new Date(behindSince).getTime() > LATE_MS;
  return (
    <Section
      title="Rails"
      about="What each rail paid, and how long it took from the first send to the end. A payout that failed over counts for the rail that ended it."
      bare
    >
      {isLate && (
        <Alert tone="warn" title="These figures are behind" className="mb-4">
          Nothing is counted that happened after <Moment at={behindSince} />. Is a worker running?
        </Alert>
      )}
      <Table
        caption="What each rail paid"
        columns={RAIL_COLUMNS}
        rowKey={({ rail, mode }) => `${mode} ${rail}`}
        rows={rails}
        empty={<EmptyState title="No rail ended a payout lately">Its figures are here once one has.</EmptyState>}
      />
      {rails.length > 0 && (
        <div className="mt-4 grid gap-4 lg:grid-cols-2">
          {rails.map((rail) => (
            <div key={`${rail.mode} ${rail.rail}`} className="card min-w-0 p-4">
              <h3 className="text-sm font-medium">{railsText([rail.rail], rail.mode)}, by day</h3>
              <p className="mb-2 text-xs text-muted">
                Median and 95th percentile today {duration(rail.today.p50Ms)}, {duration(rail.today.p95Ms)}; in 7 days{' '}
                {duration(rail.week.p50Ms)}, {duration(rail.week.p95Ms)}.
              </p>
              <Suspense fallback={<Skeleton className="h-56 w-full" />}>
                <RailChart rail={rail} />
              </Suspense>
            </div>
          ))}
        </div>
      )}
    </Section>
  );
}

function OldestUnknown({ oldest, at }: { oldest: Figures['oldestUnknown']; at: string }) {
  return (
    <Section title="Oldest payout without an outcome">
      {oldest === null ? (
        <p className="text-muted">No payout is on its way.</p>
      ) : (
        <p>
          <Link
            to="/operator/payouts/$reference"
            params={{ reference: oldest.payoutId }}
            className="font-medium text-accent underline"
          >
            <Amount value={oldest.amount} /> of {oldest.businessName ?? oldest.merchantId}
          </Link>
          , sent to {railsText([oldest.rail], oldest.mode)} {formatDistance(oldest.firstSentAt, new Date(at))} (
          <Moment at={oldest.firstSentAt} />
          ).
        </p>
      )}
    </Section>
  );
}

const QUEUES: Record<Queue['queue'], string> = {
  PAYOUTS: 'Payouts that are due',
  BATCHES: 'Bulk payouts that are due',
  DELIVERIES: 'Webhooks to merchants',
  MAILS: 'Mails; without a mail server they wait',
  APPROVALS: 'Approvals that merchants wait for',
  REPORTED_CREDITS: 'Credits that providers reported',
};

const waited = (queue: Queue | undefined, at: string): ReactNode =>
  queue === undefined ? (
    <span className="text-muted">–</span>
  ) : queue.oldestAt === null ? (
    <span className="text-muted">Nothing waits</span>
  ) : (
    <span title={queue.oldestAt}>{formatDistance(queue.oldestAt, new Date(at))}</span>
  );

function Queues({ queues, at }: { queues: readonly Queue[]; at: string }) {
  const rows = (Object.keys(QUEUES) as Queue['queue'][]).map((queue) => ({
    queue,
    live: queues.find((one) => one.queue === queue && one.mode !== 'SANDBOX'),
    sandbox: queues.find((one) => one.queue === queue && one.mode === 'SANDBOX'),
  }));
  return (
    <Section title="Queues" about="Since when the first of each is due." bare>
      <Table
        caption="Since when the first of each queue is due"
        columns={[
          { key: 'queue', header: 'Queue', cell: ({ queue }) => QUEUES[queue] },
          { key: 'live', header: 'Live', cell: ({ live }) => waited(live, at) },
          { key: 'sandbox', header: 'Sandbox', cell: ({ sandbox }) => waited(sandbox, at) },
        ]}
        rowKey={({ queue }) => queue}
        rows={rows}
        empty={null}
      />
    </Section>
  );
}

function Review({ review: { total, longest }, at }: { review: Figures['review']; at: string }) {
  if (total === 0) return null;
  return (
    <Section title="Waiting for review" about={total === 1 ? 'One merchant.' : `${formatCount(total)} merchants.`} bare>
      <ul className="card divide-y">
        {longest.map(({ merchantId, businessName, submittedAt }) => (
          <li key={merchantId} className="flex flex-wrap justify-between gap-x-4 px-4 py-3 sm:px-5">
            <Link
              to="/operator/merchants/$merchantId"
              params={{ merchantId }}
              search={{}}
              className="break-words text-accent underline"
            >
              {businessName}
            </Link>
            <span className="text-muted">{formatDistance(submittedAt, new Date(at))}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
