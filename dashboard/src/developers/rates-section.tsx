import { Link } from '@tanstack/react-router';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { cn } from '../components/class-names.ts';
import { Section } from '../components/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { formatCount, formatMany } from '../format/money.ts';
import { formatMoment } from '../format/time.ts';
import type { RequestsSearch } from './requests-search.ts';

type Rates = Data<'get', '/request-log/rates'>;
type Operation = Rates['operations'][number];
export type Period = Rates['period'];

const PERIODS: readonly { value: Period; label: string }[] = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
];

const periodOf = ({ period }: RequestsSearch): Period => PERIODS.find(({ value }) => value === period)?.value ?? '24h';

export function useRates(search: RequestsSearch) {
  return useRead('/request-log/rates', { query: { period: periodOf(search) } }, { refetchInterval: 10_000 });
}

/** How often requests went wrong, and how long they took. A click shows those that are meant in the list. */
export function RatesSection({ search }: { search: RequestsSearch }) {
  const { data, error, refetch } = useRates(search);
  return (
    <Section
      title="How it is going"
      actions={<PeriodChoice search={search} />}
      about="Counted from what is listed below. A click shows those requests."
      bare
    >
      {data === undefined ? (
        error === null ? (
          <Skeleton className="h-40 w-full rounded-card" />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : (
        <div className="grid gap-4">
          <div className="card grid gap-4 p-4 sm:p-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
            <Figures rates={data} />
            <Bars rates={data} />
          </div>
          <Operations rates={data} search={search} />
        </div>
      )}
    </Section>
  );
}

function PeriodChoice({ search }: { search: RequestsSearch }) {
  const chosen = periodOf(search);
  return (
    <nav aria-label="Period" className="flex gap-1">
      {PERIODS.map(({ value, label }) => (
        <Link
          key={value}
          to="/developers/requests"
          search={(before) => ({ ...before, ...search, page: undefined, period: value })}
          resetScroll={false}
          aria-current={chosen === value ? 'true' : undefined}
          className={cn(
            'inline-flex min-h-8 items-center rounded-control border px-2.5 text-xs font-medium',
            chosen === value ? 'border-transparent bg-accent text-accent-ink' : 'border-edge hover:bg-hover',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

const formatShare = (share: number): string =>
  share === 0 ? '0%' : share < 0.001 ? '<0.1%' : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;

const formatMs = (ms: number | null): string =>
  ms === null ? '–' : ms < 1_000 ? `≤ ${ms} ms` : ms > 120_000 ? '> 2 min' : `≤ ${ms / 1_000} s`;

function Figures({ rates }: { rates: Rates }) {
  const figures = [
    { label: 'Requests', value: formatCount(rates.requests) },
    { label: 'Refused (4xx)', value: `${formatShare(rates.refusedShare)} (${formatCount(rates.refused)})` },
    { label: 'Our failure (5xx)', value: `${formatShare(rates.failedShare)} (${formatCount(rates.failed)})` },
    { label: 'Median', value: formatMs(rates.p50Ms) },
    { label: '95th percentile', value: formatMs(rates.p95Ms) },
  ];
  return (
    <dl className="grid grid-cols-2 content-start gap-x-6 gap-y-3 sm:grid-cols-3">
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="figures text-lg font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const HEIGHT = 88;
const WIDTH = 100;

/** Requests by time: what was refused and what failed stand at the foot of each bar. The same is in the table as text. */
function Bars({ rates }: { rates: Rates }) {
  const highest = Math.max(1, ...rates.bars.map(({ requests }) => requests));
  const slot = WIDTH / rates.bars.length;
  const heightOf = (count: number) => (count / highest) * HEIGHT;
  return (
    <figure className="min-w-0">
      <svg
        role="img"
        aria-label={`Requests since ${formatMoment(rates.since)}: ${formatCount(rates.requests)}, at most ${formatCount(highest)} in one bar; ${formatCount(rates.refused)} refused, ${formatCount(rates.failed)} failed`}
        width="100%"
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block"
      >
        {rates.bars.map(({ from, requests, refused, failed }, at) => {
          const [good, bad, worst] = [requests - refused - failed, refused, failed].map(heightOf) as [
            number,
            number,
            number,
          ];
          const place = { x: at * slot + slot * 0.1, width: slot * 0.8 };
          return (
            <g key={from}>
              <title>{`${formatMoment(from)}: ${formatCount(requests)}, ${refused} refused, ${failed} failed`}</title>
              <rect {...place} y={HEIGHT - worst} height={worst} className="fill-bad" />
              <rect {...place} y={HEIGHT - worst - bad} height={bad} className="fill-warn" />
              <rect {...place} y={HEIGHT - worst - bad - good} height={good} className="fill-good" />
            </g>
          );
        })}
      </svg>
      <figcaption className="mt-2 flex flex-wrap justify-between gap-x-4 gap-y-1 text-xs text-muted">
        <span>Since {formatMoment(rates.since)}</span>
        <span className="flex gap-3">
          <Mark look="bg-good">Done</Mark>
          <Mark look="bg-warn">Refused</Mark>
          <Mark look="bg-bad">Failed</Mark>
        </span>
      </figcaption>
    </figure>
  );
}

function Mark({ look, children }: { look: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <span aria-hidden className={cn('size-2.5 rounded-sm', look)} />
      {children}
    </span>
  );
}

const MOST_SHOWN = 8;

function Operations({ rates, search }: { rates: Rates; search: RequestsSearch }) {
  const rows = rates.operations
    .toSorted(
      (one, other) => other.refused + other.failed - (one.refused + one.failed) || other.requests - one.requests,
    )
    .slice(0, MOST_SHOWN);
  return (
    <Table
      caption="By operation"
      columns={columnsOf(rates, search)}
      rowKey={({ method, path }) => `${method} ${path}`}
      rows={rows}
      empty={<EmptyState title="No requests in this time">Choose a longer period, or send one.</EmptyState>}
    />
  );
}

function columnsOf(rates: Rates, search: RequestsSearch): Column<Operation>[] {
  const wanted = { from: rates.since, period: search.period };
  return [
    {
      key: 'operation',
      header: 'Operation',
      cell: ({ method, path, requests }) => (
        <>
          <Link
            to="/developers/requests"
            search={(before) => ({ mode: before.mode, ...wanted, method, path })}
            resetScroll={false}
            className="font-mono text-xs text-accent hover:underline"
          >
            <span className="font-semibold">{method}</span> <span className="break-all">{path}</span>
          </Link>
          <p className="text-xs text-muted md:hidden">{formatMany(requests, 'request')}</p>
        </>
      ),
    },
    {
      key: 'answers',
      header: 'What went wrong',
      cell: ({ method, path, answers }) => <Answers {...{ method, path, answers, wanted }} />,
    },
    {
      key: 'requests',
      header: 'Requests',
      align: 'right',
      wideOnly: true,
      cell: ({ requests }) => <span className="figures">{formatCount(requests)}</span>,
    },
    {
      key: 'took',
      header: 'Median, 95th percentile',
      align: 'right',
      wideOnly: true,
      cell: ({ p50Ms, p95Ms }) => (
        <span className="figures">
          {formatMs(p50Ms)}, {formatMs(p95Ms)}
        </span>
      ),
    },
  ];
}

interface AnswersProps extends Pick<Operation, 'method' | 'path' | 'answers'> {
  wanted: { from: string; period: string | undefined };
}

function Answers({ method, path, answers, wanted }: AnswersProps) {
  const wrong = answers.filter(({ status }) => status >= 400).slice(0, 4);
  if (wrong.length === 0) return <span className="text-xs text-muted">Nothing</span>;
  return (
    <ul className="grid gap-1">
      {wrong.map(({ status, code, requests, share }) => (
        <li key={`${status} ${code}`} className="text-xs">
          <Link
            to="/developers/requests"
            search={(before) => ({
              mode: before.mode,
              ...wanted,
              ...{ method, path, status: String(status) },
              ...(code === null ? {} : { code }),
            })}
            resetScroll={false}
            className="font-mono break-all text-accent hover:underline"
          >
            {status} {code}
          </Link>{' '}
          <span className="figures text-muted">
            {formatCount(requests)}, {formatShare(share)}
          </span>
        </li>
      ))}
    </ul>
  );
}
