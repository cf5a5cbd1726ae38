import type { Database } from '../../src/platform/db/database.ts';

/** Before a step is done, or when the database has done it and nobody has heard of it. */
export type KilledWhen = 'BEFORE' | 'AFTER';

/**
 * The database as a process has it that is killed at its nth step: nothing of that process works from then on. A transaction
 * is one step: of it the database keeps all or nothing.
 */
export function killedAtStep(database: Database, nth: number, when: KilledWhen) {
  let steps = 0;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    steps += 1;
    if (steps > nth || (steps === nth && when === 'BEFORE')) throw new Error('killed');
    const done = await work();
    if (steps >= nth) throw new Error('killed');
    return done;
  };
  const doomed: Database = {
    ...database,
    query: (statement, values) => step(() => database.query(statement, values)),
    run: (into, rows) => step(() => database.run(into, rows)),
    transaction: (work, options) => step(() => database.transaction(work, options)),
    snapshot: (work) => step(() => database.snapshot(work)),
  };
  return { doomed, died: () => steps >= nth };
}
