import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { keyOf } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import { Section } from '../components/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import type { Period } from '../format/period.ts';
import { type BalancePoint, closingBalances, describeLine } from './balance-line.ts';
import { type BalanceHistory, readBalancePoints } from './balance-points.ts';
import type { ChartLineProps } from './chart-line.tsx';

const HEIGHT = 240;

const COLUMNS: readonly Column<BalancePoint>[] = [
  { key: 'day', header: 'Day', cell: ({ at }) => <Moment at={at} show="day" /> },
  { key: 'balance', header: 'Balance at its end', align: 'right', cell: ({ value }) => <Amount value={value} /> },
];

/** The booked balance over the period of the statement, drawn, and as a table for people who do not see the drawing. */
export function BalanceChart({ walletId, period }: { walletId: string; period: Period }) {
  const mode = useMode();
  const queries = useQueryClient();
  const queryKey = keyOf(mode, '/wallet/balance', { walletId, from: period.from, to: period.to });
  const history = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      readBalancePoints(walletId, period, { mode, signal }, queries.getQueryData<BalanceHistory>(queryKey)),
  });
  return (
    <Section title="Balance over time">
      {history.error !== null && history.data === undefined ? (
        <ErrorState error={history.error} onRetry={history.refetch} />
      ) : history.data === undefined ? (
        <div style={{ minHeight: HEIGHT }} role="status" aria-label="Loading the chart">
          <Skeleton className="h-56 w-full rounded-card" />
        </div>
      ) : (
        <Drawn points={history.data.points} />
      )}
    </Section>
  );
}

function Drawn({ points }: { points: readonly BalancePoint[] }) {
  return (
    <>
      <Chart
        label={describeLine(points)}
        points={points}
        height={HEIGHT}
        stepped
        empty={
          <EmptyState title="Nothing to draw yet">
            The line begins with the first money that moves in this period.
          </EmptyState>
        }
      />
      {points.length > 1 && (
        <details className="mt-3">
          <summary className="text-sm text-muted hover:text-ink">Show the figures as a table</summary>
          <div className="mt-3 max-w-md">
            <Table
              caption="Balance at the end of each day"
              columns={COLUMNS}
              rows={closingBalances(points)}
              rowKey={({ at }) => at}
              empty={null}
            />
          </div>
        </details>
      )}
    </>
  );
}

export interface ChartProps extends ChartLineProps {
  /** Shown below two points. */
  empty: ReactNode;
}

const Line = lazy(() => import('./chart-line.tsx').then(({ ChartLine }) => ({ default: ChartLine })));

/** A line over time. The drawing library comes with the first chart, not with the page. */
function Chart(props: ChartProps) {
  const { points, height = 220, empty } = props;
  if (points.length < 2) return <div style={{ minHeight: height }}>{empty}</div>;
  return (
    <div style={{ minHeight: height }}>
      <Suspense fallback={<Skeleton className="h-52 w-full rounded-card" />}>
        <Line {...props} height={height} />
      </Suspense>
    </div>
  );
}
