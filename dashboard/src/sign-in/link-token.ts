import { useState } from 'react';

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
