import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import type { Database } from '../../src/platform/db/database.ts';

const holding = new AsyncLocalStorage<true>();

function refuseWhileHolding(what: string): void {
  if (holding.getStore()) throw new Error(`${what} while a transaction holds a connection`);
}

// Calls by `fetch` and undici alike, of rails, webhooks and whatever comes.
channel('undici:request:create').subscribe(() => refuseWhileHolding('a call over the network'));

/** Does what somebody else does meanwhile, on connections of their own. */
export const asSomebodyElse = <T>(work: () => T): T => holding.exit(work);

/**
 * The database of a test in which nobody may wait for anything but their own statements while they hold a connection: a
 * second connection, as soon as all are held by who waits for one, comes for nobody, and a call holds it for seconds.
 */
export function oneConnectionEach(database: Database): Database {
  return {
    ...database,
    get reading() {
      return this;
    },
    query(statement, values) {
      refuseWhileHolding(`${statement.name} on another connection`);
      return database.query(statement, values);
    },
    run(into, rows) {
      refuseWhileHolding(`${into.name} on another connection`);
      return database.run(into, rows);
    },
    transaction(work, how) {
      refuseWhileHolding('another transaction');
      return database.transaction((tx) => holding.run(true, () => work(tx)), how);
    },
    snapshot(work, how) {
      refuseWhileHolding('a snapshot');
      return database.snapshot((queries) => holding.run(true, () => work(queries)), how);
    },
  };
}
