import type { Database } from '../../src/platform/db/database.ts';

/** The same database, counting the statements that are asked of it; `failNext` makes the next one fail. */
export function observed(database: Database): { database: Database; asked: () => number; failNext: () => void } {
  let asked = 0;
  let failing = false;
  return {
    asked: () => asked,
    failNext: () => {
      failing = true;
    },
    database: {
      ...database,
      get reading() {
        return this;
      },
      query(statement, values) {
        asked += 1;
        if (!failing) return database.query(statement, values);
        failing = false;
        return Promise.reject(new Error('the database went away'));
      },
    },
  };
}
