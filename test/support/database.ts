import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { databaseAddress, onServer } from './test-cluster.ts';

export interface TestDatabase {
  connectionString: string;
  drop(): Promise<void>;
}

/** A migrated database of its own for one test file: call in `beforeAll`, and `drop` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { connectionString: server, template } = inject('testServer');
  return makeDatabase(server, `template ${template}`);
}

/** The same, opened. */
export async function openTestDatabase(): Promise<{ database: Database; drop(): Promise<void> }> {
  const { connectionString, drop } = await createTestDatabase();
  const database = openDatabase({ connectionString, maxConnections: 4, logger: createLogger('silent') });
  return {
    database,
    async drop() {
      await database.close();
      await drop();
    },
  };
}

/** The same with nothing in it. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return makeDatabase(inject('testServer').connectionString, 'template template1');
}

async function makeDatabase(server: string, how: string): Promise<TestDatabase> {
  const name = `manilla_test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name} ${how}`);
  return {
    connectionString: databaseAddress(server, name),
    // Also with connections still open, so that a failed test leaves nothing.
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
  };
}
