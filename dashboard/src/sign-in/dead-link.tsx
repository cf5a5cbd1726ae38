import type { ReactNode } from 'react';
import { Alert } from '../components/alert.tsx';

/** A mailed link that leads nowhere, and what to do instead. */
export function DeadLink({ message, children }: { message?: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-5">
      <Alert tone="bad">{message ?? 'This page belongs to a link that we mail. Open it from the mail.'}</Alert>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}
