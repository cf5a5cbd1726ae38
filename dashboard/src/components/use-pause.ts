import { useEffect, useState } from 'react';

/** Longer than between two keys, and not yet a wait. */
const PAUSE_MS = 200;

/** What is typed, as it was when it last stood still: what is looked for by it is not looked for at every key. */
export function usePause(typed: string): string {
  const [paused, setPaused] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), typed === '' ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return paused;
}
