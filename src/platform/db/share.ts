import { createConcurrencyLimit } from '../owner-queue.ts';
import type { Database } from './database.ts';

/**
 * The same database for background work: it uses at most `atOnce` connections of this process, and has a queue of its
 * own for them. However much background work is due, the other connections are there for requests and the money that
 * they move. As with the pool, code that waits for a second connection while it holds one may wait for ever.
 */
export function shareOf(database: Database, atOnce: number): Database {
  const turns = createConcurrencyLimit({ atOnce });
  return {
    pool: database.pool,
    reading: database.reading,
    replicaReads: database.replicaReads,
    query: (statement, values, how) => turns.run(() => database.query(statement, values, how)),
    run: (into, rows, how) => turns.run(() => database.run(into, rows, how)),
    transaction: (work, how) => turns.run(() => database.transaction(work, how)),
    snapshot: (work, how) => turns.run(() => database.snapshot(work, how)),
    // It has connections of its own.
    readApart: (connections, work, prepare) => database.readApart(connections, work, prepare),
    isDistributed: () => database.isDistributed(),
    close: () => database.close(),
  };
}
