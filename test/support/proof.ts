import { BEGIN_SNAPSHOT, type DatabaseOptions, openPool, queriesOn } from '../../src/platform/db/connections.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { followPrimary } from '../../src/platform/db/primary.ts';
import { type CheckResult, verifyBooks } from '../../src/verify/index.ts';

/** What the proof of the books finds wrong. */
export async function brokenChecks(database: Database): Promise<CheckResult[]> {
  const { checks } = await verifyBooks(database);
  return checks.filter(({ ok }) => !ok);
}

/**
 * The same database, all of whose proofs run on one connection that stays open. Of the proof of a small database nearly
 * everything is planning two hundred checks, and PostgreSQL keeps plans with the connection: the second proof costs a
 * fifth. That a proof of the service has connections of its own is said in test/verify/proof.test.ts.
 */
export function provenOnOneConnection(database: Database, options: DatabaseOptions): Database {
  const primary = followPrimary({ ...options, applicationName: 'manilla proof', isBusy: () => false });
  const reader = openPool(options, primary, 1);
  let closing: Promise<unknown> | undefined;
  return {
    ...database,
    get reading() {
      return this;
    },
    async readApart(connections, work, prepare) {
      // What is made for a connection alone is not left on this one.
      if (prepare !== undefined) return database.readApart(connections, work, prepare);
      const client = await reader.connect();
      try {
        await client.query(BEGIN_SNAPSHOT);
        return await work([queriesOn(client)]);
      } finally {
        const isWhole = await client.query('rollback').then(
          () => true,
          () => false,
        );
        client.release(!isWhole);
      }
    },
    async close() {
      closing ??= Promise.all([reader.end(), primary.close(), database.close()]);
      await closing;
    },
  };
}
