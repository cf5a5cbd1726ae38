import type { Database } from '../../src/platform/db/database.ts';

/** The database of a process that dies at the statement with this number of those within transactions. */
export function dyingAt(database: Database, step: number): Database {
  let sent = 0;
  const dies = () => {
    sent += 1;
    if (sent > step) throw new Error('died');
  };
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction(
        (tx) =>
          work({
            ...tx,
            query: async (...args) => {
              dies();
              return tx.query(...args);
            },
            run: async (...args) => {
              dies();
              return tx.run(...args);
            },
          }),
        options,
      ),
  };
}
