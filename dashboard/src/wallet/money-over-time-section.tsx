import { lazy, Suspense } from 'react';

const MoneyOverTime = lazy(() => import('./money-over-time.tsx').then((part) => ({ default: part.MoneyOverTime })));

/** The charts by day of one wallet, or of all. They are fetched behind the page: its figures do not wait for them. */
export function MoneyOverTimeSection(props: { walletId?: string; about?: string }) {
  return (
    <Suspense fallback={<div className="min-h-96" aria-hidden="true" />}>
      <MoneyOverTime {...props} />
    </Suspense>
  );
}
