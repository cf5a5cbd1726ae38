import type { Database, Queries } from '../../src/platform/db/database.ts';
import { asSomebodyElse } from './one-connection.ts';

export interface InBetween {
  database: Database;
  /**
   * Runs a read; after each of its statements `step` happens with its name, before the next one is sent, or only after the one of that
   * number. Answers how many statements there were, and the name of each.
   */
  during<T>(
    step: (statement: string) => Promise<unknown>,
    read: () => Promise<T>,
    onlyAfter?: number,
  ): Promise<{ result: T; statements: number; names: string[] }>;
}

/** What a process asks from time to time, for all callers. */
const BY_ITSELF = new Set(['list-key-states', 'list-unchanged-keys']);

/**
 * The same database, on which something can be made to happen between any two statements of a read, however they are
 * sent. What takes several statements and shows one moment has to read it in one snapshot.
 */
export function inBetween(database: Database): InBetween {
  let step: ((statement: string) => Promise<unknown>) | undefined;
  let stepping = false;
  let names: string[] = [];
  let only: number | undefined;
  let line: Promise<unknown> = Promise.resolve();

  /** One statement after the other, each with the step behind it. */
  const inTurn = <T>(name: string, ask: () => Promise<T>): Promise<T> => {
    // What the step itself asks, what nobody asked for, and everybody while nothing is being watched.
    if (step === undefined || stepping || BY_ITSELF.has(name)) return ask();
    const asked = line.then(async () => {
      const answer = await ask();
      names.push(name);
      if (only !== undefined && names.length !== only) return answer;
      stepping = true;
      await asSomebodyElse(async () => step?.(name)).finally(() => {
        stepping = false;
      });
      return answer;
    });
    line = asked.catch(() => undefined);
    return asked;
  };
  const slowed = (queries: Queries): Queries => ({
    query: (statement, values) => inTurn(statement.name, () => queries.query(statement, values)),
    run: (into, rows) => queries.run(into, rows),
  });
  return {
    database: {
      ...database,
      ...slowed(database),
      get reading() {
        return this;
      },
      snapshot: (work, options) => database.snapshot((queries) => work(slowed(queries)), options),
    },
    async during(happens, read, onlyAfter) {
      names = [];
      only = onlyAfter;
      step = happens;
      try {
        const result = await read();
        return { result, statements: names.length, names };
      } finally {
        step = undefined;
      }
    },
  };
}
