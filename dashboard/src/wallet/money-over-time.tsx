import { useState } from 'react';
import { nowDate } from '../api/clock.ts';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { cn } from '../components/class-names.ts';
import { Section } from '../components/page-header.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatMoney } from '../format/money.ts';
import { DAY_MS, formatDay, lagosDay, startOfLagosDay } from '../format/time.ts';
import { DayChart, type DaySeries, Legend } from './day-chart.tsx';

type Summary = Data<'get', '/wallet/summary'>;
type Day = Summary['days'][number];

const SPANS = [7, 30, 90] as const;
type Span = (typeof SPANS)[number];

/** The query of the last so many days, today among them. */
export function lastDays(count: number, now: Date): { from: string; to: string } {
  return { from: lagosDay(new Date(now.getTime() - (count - 1) * DAY_MS)), to: lagosDay(now) };
}

/** Balance, money in and money out by day, beside the same number of days before: of all wallets, or of one. */
export function MoneyOverTime({ walletId, about }: { walletId?: string; about?: string }) {
  const [span, setSpan] = useState<Span>(30);
  const query = { ...lastDays(span, nowDate()), ...(walletId === undefined ? {} : { walletId }) };
  const { data, error, refetch } = useRead('/wallet/summary', { query }, { placeholderData: (before) => before });
  return (
    <Section title="Over time" about={about} actions={<SpanChoice span={span} onChange={setSpan} />}>
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <div className="grid gap-8 lg:grid-cols-2" role="status" aria-label="Loading the charts">
          <Skeleton className="h-72 w-full rounded-card" />
          <Skeleton className="h-72 w-full rounded-card" />
        </div>
      ) : (
        <Charts summary={data} />
      )}
    </Section>
  );
}

function SpanChoice({ span, onChange }: { span: Span; onChange: (span: Span) => void }) {
  return (
    <fieldset className="flex rounded-control border bg-sunken p-0.5">
      <legend className="sr-only">Days</legend>
      {SPANS.map((days) => (
        <button
          key={days}
          type="button"
          aria-pressed={days === span}
          onClick={() => onChange(days)}
          className={cn(
            'min-h-8 rounded-md px-3 text-xs font-semibold',
            days === span ? 'bg-surface text-ink shadow-card' : 'text-muted hover:text-ink',
          )}
        >
          {days} days
        </button>
      ))}
    </fieldset>
  );
}

const dayText = (day: string | undefined): string => (day === undefined ? '' : formatDay(startOfLagosDay(day)));

function Charts({ summary }: { summary: Summary }) {
  const { days, previous } = summary;
  const before = `${days.length} days before`;
  return (
    <>
      <div className="grid gap-8 lg:grid-cols-2">
        <BalanceByDay summary={summary} before={before} />
        <FlowsByDay summary={summary} before={before} />
      </div>
      <details className="mt-4">
        <summary className="text-sm text-muted hover:text-ink">Show the figures as a table</summary>
        <div className="mt-3">
          <Table
            caption={`By day, from ${dayText(summary.from)} to ${dayText(summary.to)}`}
            columns={COLUMNS}
            rows={days.map((day, at) => ({ ...day, before: previous.days[at] })).toReversed()}
            rowKey={({ day }) => day}
            empty={null}
          />
        </div>
      </details>
    </>
  );
}

interface ChartProps {
  summary: Summary;
  /** "30 days before" */
  before: string;
}

function BalanceByDay({ summary: { days, previous }, before }: ChartProps) {
  const series: DaySeries[] = [
    { label: before, shape: 'dashed' },
    { label: 'Balance', shape: 'line' },
  ];
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-sm font-medium">Balance at the end of each day</h3>
      <Legend series={series} />
      <DayChart
        label="Balance at the end of each day"
        series={series}
        points={days.map(({ day, closingBalance }, at) => ({
          day,
          values: [previous.days[at]?.closingBalance, closingBalance],
        }))}
        describe={(at) =>
          `${dayText(days[at]?.day)}: ${formatMoney(days[at]?.closingBalance ?? 0)}, ${formatMoney(previous.days[at]?.closingBalance ?? 0)} ${before}`
        }
        readout={(at) => (
          <>
            <span className="text-muted">{dayText(days[at]?.day)}</span>{' '}
            <Amount value={days[at]?.closingBalance} className="font-medium" />{' '}
            <span className="text-xs text-muted">
              (<Amount value={previous.days[at]?.closingBalance} /> {before})
            </span>
          </>
        )}
      />
    </div>
  );
}

type Flow = number | null | undefined;

/** What no number holds to the kobo is left out of a chart. */
const drawable = (flow: Flow): number | undefined => flow ?? undefined;

const flowText = (flow: Flow): string => (flow === null ? 'more than 70 trillion' : formatMoney(flow ?? 0));

function FlowsByDay({ summary: { days, previous, ...period }, before }: ChartProps) {
  const series: DaySeries[] = [
    { label: before, shape: 'up-before' },
    { label: 'In', shape: 'up' },
    { label: 'Out', shape: 'down' },
  ];
  const drawn: DaySeries[] = [...series, { label: `Out, ${before}`, shape: 'down-before' }];
  const order = [0, 3, 1, 2];
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-sm font-medium">Money in and out</h3>
      <Legend series={series} />
      <DayChart
        label="Money in and out"
        series={order.map((at) => drawn[at] as DaySeries)}
        points={days.map(({ day, moneyIn, moneyOut }, at) => ({
          day,
          values: [previous.days[at]?.moneyIn, previous.days[at]?.moneyOut, moneyIn, moneyOut].map(drawable),
        }))}
        describe={(at) =>
          `${dayText(days[at]?.day)}: in ${flowText(days[at]?.moneyIn)}, out ${flowText(days[at]?.moneyOut)}, of which ${flowText(days[at]?.fees)} fees`
        }
        readout={(at) => (
          <>
            <span className="text-muted">{dayText(days[at]?.day)}</span>{' '}
            <Amount value={days[at]?.moneyIn} direction="in" /> in,{' '}
            <Amount value={days[at]?.moneyOut} direction="out" /> out
            <span className="block text-xs text-muted">
              All {days.length} days: <Amount value={period.moneyIn} /> in, <Amount value={period.moneyOut} /> out.{' '}
              {before}: <Amount value={previous.moneyIn} /> in, <Amount value={previous.moneyOut} /> out.
            </span>
          </>
        )}
      />
    </div>
  );
}

type Row = Day & { before: Day | undefined };

/** A phone has no room for three amounts beside each other: there, in and out stand below the day. */
function DayOf({ row: { day, moneyIn, moneyOut } }: { row: Row }) {
  return (
    <>
      <Moment at={startOfLagosDay(day)} show="day" />
      <span className="mt-0.5 block text-xs text-muted md:hidden">
        <Amount value={moneyIn} /> in
      </span>
      <span className="block text-xs text-muted md:hidden">
        <Amount value={moneyOut} /> out
      </span>
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'day', header: 'Day', cell: (row) => <DayOf row={row} /> },
  { key: 'in', header: 'In', align: 'right', wideOnly: true, cell: ({ moneyIn }) => <Amount value={moneyIn} /> },
  { key: 'out', header: 'Out', align: 'right', wideOnly: true, cell: ({ moneyOut }) => <Amount value={moneyOut} /> },
  { key: 'fees', header: 'Of it fees', align: 'right', wideOnly: true, cell: ({ fees }) => <Amount value={fees} /> },
  {
    key: 'balance',
    header: 'Balance at its end',
    align: 'right',
    cell: ({ closingBalance }) => <Amount value={closingBalance} />,
  },
  {
    key: 'before',
    header: 'Balance in the period before',
    align: 'right',
    wideOnly: 'xl',
    cell: ({ before }) => <Amount value={before?.closingBalance} />,
  },
];
