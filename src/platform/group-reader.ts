import { inHalves } from './jobs/take-turns.ts';

/**
 * Joins many concurrent reads of one kind into one set-based query. A read never joins a query that was sent before it
 * was asked for, so it always sees what was committed by then. Where the query fails because of one of them, that one
 * alone fails: the others are asked for again in halves, so `load` must be repeatable.
 */
export function createGroupReader<Key, Value>(load: (keys: Key[]) => Promise<Value[]>): (key: Key) => Promise<Value> {
  interface Waiting {
    key: Key;
    resolve: (value: Value) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let running = false;

  async function run(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      // Reads that were answered before the database went away keep their answers.
      await inHalves(group, settle, ({ reject }, error) => reject(error)).catch((error: unknown) => {
        for (const { reject } of group) reject(error);
      });
    }
    running = false;
  }

  async function settle(some: readonly Waiting[]): Promise<void> {
    const values = await load(some.map(({ key }) => key));
    for (const [at, { resolve }] of some.entries()) resolve(values[at] as Value);
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (running) return;
      running = true;
      void run();
    });
}
