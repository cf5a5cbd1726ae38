import type { Container } from '../../src/container.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';

/** Seeded: the same numbers each time (mulberry32). */
export function seeded(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    chance: (share: number) => next() < share,
    below: (bound: number) => Math.floor(next() * bound),
    oneOf: <T>(some: readonly T[]): T => some[Math.floor(next() * some.length)] as T,
  };
}
export type Dice = ReturnType<typeof seeded>;

export class Killed extends Error {}

/** A process that dies at its nth statement or commit: before it, or when it is done and nobody hears of it. */
export function mortal<T extends Container>(deps: T, nth: number, when: 'BEFORE' | 'AFTER') {
  let steps = 0;
  const step = async <R>(work: () => Promise<R>): Promise<R> => {
    steps += 1;
    if (steps > nth || (steps === nth && when === 'BEFORE')) throw new Killed('killed');
    const done = await work();
    if (steps >= nth) throw new Killed('killed');
    return done;
  };
  const { clock, logger } = deps;
  const dying: T = {
    ...deps,
    // What failed is remembered by a process, and goes with it.
    jobs: createJobMonitor({ clock, logger }),
    database: {
      ...deps.database,
      query: (statement, values) => step(() => deps.database.query(statement, values)),
      run: (into, rows) => step(() => deps.database.run(into, rows)),
    },
    ledger: { ...deps.ledger, commit: (movement) => step(() => deps.ledger.commit(movement)) },
  };
  return { dying, isDead: () => steps >= nth };
}
