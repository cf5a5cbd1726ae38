import type { Clock } from '../../src/platform/clock.ts';

/** A clock that a test moves: by it, time passes for what is cached too. */
export const clockOf = (now: () => Date): Clock => ({ now, elapsedMs: () => now().getTime() });

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

/** Starts at the real time and goes on with it, so that it agrees with everything that does not ask it. */
export function testClock(): TestClock {
  let offset = 0;
  const clock = clockOf(() => new Date(Date.now() + offset));
  return {
    ...clock,
    advance: (milliseconds) => {
      offset += milliseconds;
    },
  };
}

/** Starts at the real time and stands still: only tests move it. */
export function stillClock(): TestClock {
  let at = Date.now();
  return {
    ...clockOf(() => new Date(at)),
    advance: (milliseconds) => {
      at += milliseconds;
    },
  };
}
