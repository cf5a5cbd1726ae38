import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentenceOf } from '../../src/command-failures.ts';
import { type Database, openDatabase, type Queries } from '../../src/platform/db/database.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { verifyAll } from '../../src/verify/index.ts';
import { CITUS_SERVERS } from '../support/citus.ts';
import { type Archivist, createArchivist } from './fixture.ts';

let a: Archivist;
beforeAll(async () => {
  a = await createArchivist();
  for (let at = 0; at < 5; at += 1) await a.debit(newId());
  await a.archive(undefined, 4);
});
afterAll(() => a.close());

const proofOf = (database: Pick<Database, 'readApart'>, onCheck?: () => void) =>
  verifyAll({ database, secrets: a.t.secrets, archiveDir: a.directory }, onCheck);

/** The connections of a proof, once it has begun. */
function watched(): { database: Pick<Database, 'readApart'>; each(): readonly Queries[] } {
  let connections: readonly Queries[] = [];
  const readApart: Database['readApart'] = (count, work, prepare) =>
    a.t.database.readApart(
      count,
      (each) => {
        connections = each;
        return work(each);
      },
      prepare,
    );
  return { database: { readApart }, each: () => connections };
}

/** Tables and views of proofs that others see, at each server. */
async function leftBehind(): Promise<string[]> {
  const address = new URL(a.t.connectionString);
  const names: string[] = [];
  for (const server of CITUS_SERVERS.length === 0 ? [address.host] : CITUS_SERVERS) {
    address.host = server;
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    const { rows } = await client.query(
      `select relname from pg_class where relname ~ '^(proof_|kept_|archived_(events|idempotency))'`,
    );
    await client.end();
    names.push(...rows.map(({ relname }) => relname));
  }
  return names;
}

describe('a proof that reads archived events', () => {
  it('is right beside another one, and both leave nothing behind', async () => {
    const reports = await Promise.all([proofOf(a.t.database), proofOf(a.t.database)]);
    expect(reports.flatMap(({ checks }) => checks.filter(({ ok }) => !ok))).toEqual([]);
    await expect.poll(leftBehind).toEqual([]);
  });

  it('leaves nothing behind where its connection is cut, and the next one is right', async () => {
    const proof = proofOf(a.t.database, () => {
      void a.t.database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '% reading'`,
      );
    });
    await expect(proof).rejects.toThrow();
    await expect.poll(leftBehind).toEqual([]);
    expect(await a.wrong(a.directory)).toEqual([]);
  });

  it('cannot write a table of the books by any of its connections', async () => {
    for (const at of [0, 1]) {
      const { database, each } = watched();
      let refusal: Promise<unknown> | undefined;
      const proof = proofOf(database, () => {
        refusal ??= each()
          [at]?.query(statement('write-in-proof', 'delete from transfers'))
          .catch((error: Error) => error.message);
      });
      await expect(proof).rejects.toThrow();
      expect(await refusal).toBe('cannot execute DELETE in a read-only transaction');
    }
    expect(await a.wrong(a.directory)).toEqual([]);
  });

  it.runIf(CITUS_SERVERS.length > 0)('says which right its role lacks', async () => {
    const role = `prover_${newId().slice(-12)}`;
    const { pool } = a.t.database;
    const address = new URL(a.t.connectionString);
    address.username = role;
    await pool.query(`create role ${role} login`);
    const theirs = openDatabase({
      connectionString: address.href,
      maxConnections: 1,
      logger: createLogger('silent'),
    });
    try {
      await pool.query(`grant select on event_archives to ${role}`);
      const refusal: unknown = await proofOf(theirs).catch((error: unknown) => error);
      expect(sentenceOf(refusal)).toContain('grant it create on the schema on each server');
    } finally {
      await theirs.close();
      await pool.query(`drop owned by ${role}`);
      await pool.query(`drop role ${role}`);
    }
  });
});
