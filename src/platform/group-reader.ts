/**
 * Many concurrent reads of one kind become one set-based query. A read never joins a query that was sent before it was
 * asked, so it always sees what was committed by then.
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
      try {
        const values = await load(group.map(({ key }) => key));
        for (const [at, { resolve }] of group.entries()) resolve(values[at] as Value);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    running = false;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (running) return;
      running = true;
      void run();
    });
}
