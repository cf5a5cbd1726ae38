import { lazy, type ReactNode, Suspense } from 'react';
import type { ChartLineProps } from './chart-line.tsx';
import { Skeleton } from './states.tsx';

export interface ChartProps extends ChartLineProps {
  /** Shown below two points. */
  empty: ReactNode;
}

const Line = lazy(() => import('./chart-line.tsx').then(({ ChartLine }) => ({ default: ChartLine })));

/** A line over time. The drawing library comes with the first chart, not with the page. */
export function Chart(props: ChartProps) {
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
