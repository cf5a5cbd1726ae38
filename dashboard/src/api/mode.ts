import { useSearch } from '@tanstack/react-router';
import type { Mode } from './types.ts';

/** The mode stands in the address (`?mode=live`), so that a link, a tab and a reload keep it. */
export function useMode(): Mode {
  return useSearch({ strict: false, select: (search) => (search.mode === 'live' ? 'LIVE' : 'SANDBOX') });
}
