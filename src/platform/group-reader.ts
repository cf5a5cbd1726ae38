import { AppError } from './errors.ts';

/**
 * Many concurrent reads of one kind become one set-based query. A read never joins a query that was sent before it was
 * asked, so it always sees what was committed by then. Where the query fails by what one of them asked for, that one
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
      await settle(group);
    }
    running = false;
  }

  async function settle(group: readonly Waiting[]): Promise<void> {
    try {
      const values = await load(group.map(({ key }) => key));
      for (const [at, { resolve }] of group.entries()) resolve(values[at] as Value);
    } catch (error) {
      // What the database is away for is nobody's own.
      if (group.length === 1 || error instanceof AppError) {
        for (const { reject } of group) reject(error);
        return;
      }
      const middle = Math.ceil(group.length / 2);
      await settle(group.slice(0, middle));
      await settle(group.slice(middle));
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (running) return;
      running = true;
      void run();
    });
}
