import { createLruMap } from './cache.ts';
import type { Clock } from './clock.ts';

/** How often a caller came in the current window, and when the window ends. */
interface Count {
  count: number;
  leftMs: number;
}

export interface WindowCounter {
  count(caller: string): Count;
  /** The count as if one more came, without counting it. */
  look(caller: string): Count;
}

interface WindowOptions {
  clock: Clock;
  windowMs: number;
  /** Callers counted at once; beyond it the least recently counted are dropped. */
  maxCallers: number;
}

/** Counts callers over windows that begin with the first time. In memory and by process. */
export function createWindowCounter({ clock, windowMs, maxCallers }: WindowOptions): WindowCounter {
  const windows = createLruMap<{ count: number; endsAt: number }>(maxCallers);
  return {
    count(caller) {
      const now = clock.elapsedMs();
      let window = windows.get(caller);
      if (window === undefined || window.endsAt <= now) {
        window = { count: 0, endsAt: now + windowMs };
        windows.set(caller, window);
      }
      window.count += 1;
      return { count: window.count, leftMs: window.endsAt - now };
    },
    look(caller) {
      const now = clock.elapsedMs();
      const window = windows.get(caller);
      if (window === undefined || window.endsAt <= now) return { count: 1, leftMs: windowMs };
      return { count: window.count + 1, leftMs: window.endsAt - now };
    },
  };
}
