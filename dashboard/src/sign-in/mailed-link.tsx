import { type ReactNode, useEffect, useState } from 'react';
import { Alert } from '../components/alert.tsx';

/**
 * The token of a mailed link stands behind the `#`, which a browser sends to nobody. It is taken out of the address at
 * once, so that it stays in no history and on no screenshot.
 */
function useLinkToken(): string | undefined {
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

/**
 * The token of the link that was opened, and what it is about. `look` is asked once and uses nothing up: mail programs open
 * links to look at them. It says by itself why it found nothing.
 */
export function useMailedLink<Found>(look: (token: string) => Promise<Found>) {
  const token = useLinkToken();
  const [found, setFound] = useState<Found>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for a link; `look` is another function each time.
  useEffect(() => {
    if (token !== undefined)
      look(token).then(
        (answer) => setFound(() => answer),
        () => undefined,
      );
  }, [token]);
  return { token, found };
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
