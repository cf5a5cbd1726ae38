import { lazy, Suspense } from 'react';
import type { NothingLeftProps } from './filter-counts.tsx';

const NoMatches = lazy(() => import('./no-matches.tsx').then((part) => ({ default: part.NoMatches })));

/** Says of an empty list which of its filters leaves nothing: how many there would be without each. */
export function NothingLeft(props: NothingLeftProps) {
  return (
    <Suspense>
      <NoMatches {...props} />
    </Suspense>
  );
}
