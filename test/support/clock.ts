import type { Clock } from '../../src/platform/clock.ts';

/** A clock that a test moves: by it, time passes for what is cached too. */
export const clockOf = (now: () => Date): Clock => ({ now, elapsedMs: () => now().getTime() });
