import { useEffect } from 'react';

/** What is still on its way is lost with the tab: the browser asks before it is closed, until the end is called. */
export function askBeforeLeaving(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
}

/** The same for a page, while something of it is on its way. */
export function useLeavingWarning(busy: boolean): void {
  useEffect(() => (busy ? askBeforeLeaving() : undefined), [busy]);
}
