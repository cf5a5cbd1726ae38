import type { Database, Reader } from './database.ts';

/**
 * The same database for those who wait: each statement has an answer within `deadlineMs`, or fails as that of a database
 * that is away does. One connection that the network has swallowed would otherwise hold its request for a minute. What is
 * read aside, for a file or a report, has the time that it takes; so has a replica, which is left after a second.
 */
export function answersWithin(database: Database, deadlineMs: number): Database {
  const { pool, replicaReads } = database;
  const statements: Pick<Database, keyof Reader> = {
    query: (statement, values, how) => database.query(statement, values, { deadlineMs, ...how }),
    run: (into, rows, how) => database.run(into, rows, { deadlineMs, ...how }),
    snapshot: (work, how) => database.snapshot(work, how?.aside === true ? how : { deadlineMs, ...how }),
    readApart: (connections, work, prepare) => database.readApart(connections, work, prepare),
  };
  return {
    ...statements,
    pool,
    replicaReads,
    reading: replicaReads === undefined ? statements : database.reading,
    transaction: (work, how) => database.transaction(work, { deadlineMs, ...how }),
    isDistributed: () => database.isDistributed(),
    close: () => database.close(),
  };
}
