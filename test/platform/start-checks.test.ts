import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sentenceOf } from '../../src/command-failures.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { readinessOf } from '../../src/platform/db/readiness.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { healthRoutes } from '../../src/platform/http/health.ts';
import { createServer } from '../../src/platform/http/server.ts';
import type { Logger } from '../../src/platform/logger.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createRequestLog } from '../../src/request-log/request-log.ts';
import { createStartChecks } from '../../src/start-checks.ts';
import { createTestBase, type TestBase } from '../support/base.ts';
import { CITUS_SERVERS } from '../support/citus.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { rowsOf } from '../support/world.ts';

let base: TestBase;
beforeAll(async () => {
  base = await createTestBase();
});
afterAll(() => base.close());

/** What a new process finds before it serves anything: a setting of the database holds for new connections. */
async function checked(synchronousCommit: string): Promise<void> {
  const name = new URL(base.connectionString).pathname.slice(1);
  await rowsOf(base.connectionString, `alter database ${name} set synchronous_commit = ${synchronousCommit}`, []);
  const database = base.open(1);
  const checks = createStartChecks({ ...base, database });
  try {
    await checks.beforeMigration();
  } finally {
    checks.end();
    await database.close();
  }
}

/** With real processes, and where it could not be asked at first: test/platform/durability.test.ts. */
describe('a database that acknowledges commits before they are on disk', () => {
  it('ends the start, with what to set', async () => {
    await expect(checked('off')).rejects.toThrow(
      /acknowledges commits before they are on disk: synchronous_commit is off.*Set it to on, or to a remote_\* level\.$/,
    );
  });

  it.each(['on', 'local', 'remote_write', 'remote_apply'])('is not one that has it %s', (level) => checked(level));
});

const NOTE_A_PEPPER = statement('test-insert-a-pepper', "insert into peppers (id, first_used_at) values ('x', now())");

/** The account has no other rights than these: it owns the tables, and the owner's own rights can be taken away. */
async function withRights(rights: string, work: (theirs: Database) => Promise<void>): Promise<void> {
  await change('revoke all on all tables in schema public from current_user');
  await change(`grant ${rights} on all tables in schema public to current_user`);
  const theirs = base.open(2);
  try {
    await work(theirs);
  } finally {
    await theirs.close();
    await change('grant all on all tables in schema public to current_user');
  }
}

const change = (text: string) => rowsOf(base.connectionString, text, []);

/** What a balancer is answered. */
async function readyz(database: Database) {
  const { logger } = base;
  const server = await createServer({ logger, trustedProxies: [] });
  const metrics = createMetrics(database.pool);
  healthRoutes(server, { metrics, clock: base.clock, readiness: () => readinessOf(database), isStopping: () => false });
  const answer = await server.inject({ method: 'GET', url: '/readyz' });
  await server.close();
  return { status: answer.statusCode, message: answer.json<{ message: string }>().message };
}

/** A superuser, as which tests run on Citus, has every right. */
describe.skipIf(CITUS_SERVERS.length > 0)('an account that may only read', () => {
  it('ends the start with the sentence about a missing right', async () => {
    await withRights('select', async (theirs) => {
      const checks = createStartChecks({ ...base, database: theirs });
      const refused = await checks.afterMigration().catch((error: unknown) => sentenceOf(error));
      checks.end();
      expect(refused).toMatch(
        /^The account in DATABASE_URL lacks a right: .*It has to own its database and all in it\.$/,
      );
    });
  });

  it('ends it also where nothing but the secrets may not be noted', async () => {
    await withRights('select, insert', async (theirs) => {
      await change('revoke insert on peppers from current_user');
      const checks = createStartChecks({ ...base, database: theirs });
      const refused = await checks.afterMigration().catch((error: unknown) => sentenceOf(error));
      checks.end();
      expect(refused).toMatch(
        /^The account in DATABASE_URL lacks a right: permission denied for table peppers\. It has to/,
      );
    });
  });

  it('is not ready, also where the right was taken away from a process that runs, and its writes are 503', async () => {
    await withRights('select, insert', async (theirs) => {
      expect(await readyz(theirs)).toEqual({ status: 200, message: 'Ready' });
      await change('revoke insert on all tables in schema public from current_user');
      const message = expect.stringMatching(/^The account in DATABASE_URL lacks a right: it may not write\./);
      expect(await readyz(theirs)).toEqual({ status: 503, message });
      for (const write of [theirs.query(NOTE_A_PEPPER), theirs.transaction((tx) => tx.query(NOTE_A_PEPPER))])
        await expect(write).rejects.toMatchObject({ kind: 'unavailable', code: 'SERVICE_UNAVAILABLE' });
    });
  });
});

describe('a database that is not migrated', () => {
  it('is named once in the log, by readiness apart from one that is away, and is not asked every second', async () => {
    const { connectionString, drop } = await createEmptyDatabase();
    const lines: unknown[] = [];
    const logger = { warn: (...line: unknown[]) => lines.push(line.at(-1)), debug: vi.fn() } as unknown as Logger;
    const database = openDatabase({ connectionString, maxConnections: 2, logger });
    const asked = vi.spyOn(database, 'query');
    const checks = createStartChecks({ ...base, database, logger });
    const log = createRequestLog({ database, clock: base.clock, logger });
    try {
      await checks.afterMigration();
      await sleep(7_000);
      expect(lines).toEqual(['the database has not the tables of this version: run npm run migrate']);
      const settings = asked.mock.calls.filter(([{ name }]) => name === 'list-request-log-settings');
      expect(settings.length).toBeGreaterThan(0);
      expect(settings.length).toBeLessThan(4);
      const message = 'The database has not the tables of this version: run npm run migrate.';
      expect(await readyz(database)).toEqual({ status: 503, message });
    } finally {
      checks.end();
      await log.stop();
      await database.close();
      await drop();
    }
    expect(await readyz(database)).toEqual({
      status: 503,
      message: 'The database cannot be reached, or takes no writes.',
    });
  });
});
