import { type ReactNode, useState } from 'react';
import { Alert } from '../components/alert.tsx';

/**
 * The token of a mailed link stands behind the `#`, which a browser sends to nobody. It is taken out of the address at
 * once, so that it stays in no history and on no screenshot.
 */
export function useLinkToken(): string | undefined {
  const [token] = useState(takeToken);
  return token;
}

/** React may ask twice; the address answers only once. */
let taken: string | undefined;

function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  if (token !== undefined) {
    taken = token;
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return taken;
}

/** A mailed link that leads nowhere, and what to do instead. */
export function DeadLink({ message, children }: { message?: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-5">
      <Alert tone="bad">{message ?? 'This page belongs to a link that we mail. Open it from the mail.'}</Alert>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}
