import { createConcurrencyLimit } from '../owner-queue.ts';
import type { Database } from './database.ts';

/**
 * The same database for background work: it has at most `atOnce` connections of this process in hand, and waits in a line
 * of its own for the next. However much is due, the others are there for requests and the money that they move. As with
 * the pool, who waits for a second connection while it holds one may wait for ever.
 */
export function shareOf(database: Database, atOnce: number): Database {
  const turns = createConcurrencyLimit({ atOnce });
  return {
    pool: database.pool,
    reading: database.reading,
    replicaReads: database.replicaReads,
    query: (statement, values) => turns.run(() => database.query(statement, values)),
    run: (into, rows) => turns.run(() => database.run(into, rows)),
    transaction: (work, how) => turns.run(() => database.transaction(work, how)),
    snapshot: (work, how) => turns.run(() => database.snapshot(work, how)),
    // On connections of its own.
    readApart: (connections, work, prepare) => database.readApart(connections, work, prepare),
    isDistributed: () => database.isDistributed(),
    close: () => database.close(),
  };
}
