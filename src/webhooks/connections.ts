import { type Connection, type ConnectionOptions, openConnection } from './connection.ts';

/** Calls at once to an address that its merchant marks as unordered: a receiver answers so many as easily as one. */
export const CALLS_AT_ONCE = 8;

/** The connections to one address, each with one call on its way at a time. */
export interface Connections {
  readonly each: readonly Connection[];
  /** Calls under way end without a result. */
  close(): void;
}

export function openConnections(
  url: string,
  { ordered, ...options }: ConnectionOptions & { ordered: boolean },
): Connections {
  const each = Array.from({ length: ordered ? 1 : CALLS_AT_ONCE }, () => openConnection(url, options));
  return {
    each,
    close() {
      for (const connection of each) connection.close();
    },
  };
}

/**
 * Runs `work` over the items, one at a time on each connection, and begins each in the order of the items. Nothing more is
 * begun once it says so.
 * @returns the results up to the first item that has none: whoever goes on behind them leaves nothing out
 */
export async function overConnections<Item, Result>(
  connections: Connections,
  items: readonly Item[],
  work: (connection: Connection, item: Item) => Promise<{ result: Result | undefined; goesOn: boolean }>,
): Promise<{ results: Result[]; goesOn: boolean }> {
  const results: (Result | undefined)[] = [];
  let begun = 0;
  let goesOn = true;
  await Promise.all(
    connections.each.map(async (connection) => {
      while (goesOn && begun < items.length) {
        const at = begun;
        begun += 1;
        const done = await work(connection, items[at] as Item);
        results[at] = done.result;
        goesOn &&= done.goesOn;
      }
    }),
  );
  const end = Array.from(results).indexOf(undefined);
  return { results: (end === -1 ? results : results.slice(0, end)) as Result[], goesOn };
}
