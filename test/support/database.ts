import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { CITUS_SERVERS, onEachServer } from './citus.ts';
import { databaseAddress } from './test-cluster.ts';

export interface TestDatabase {
  connectionString: string;
  drop(): Promise<void>;
}

/** A migrated database of its own for one test file: call in `beforeAll`, and `drop` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { connectionString: server, template } = inject('testServer');
  // A copy of its files: half of the work of writing each page of them to the log.
  return makeDatabase(server, `template ${template} strategy file_copy`);
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

/** For all files of this process: a connection to the server itself costs as much as dropping a database. */
let pool: pg.Pool | undefined;

function openAdmin(server: string): pg.Pool {
  const admin = new pg.Pool({ connectionString: databaseAddress(server, 'postgres'), max: 1, allowExitOnIdle: true });
  return admin.on('error', () => undefined);
}

async function makeDatabase(server: string, how: string): Promise<TestDatabase> {
  pool ??= openAdmin(server);
  const admin = pool;
  const name = `manilla_test_${randomBytes(6).toString('hex')}`;
  if (CITUS_SERVERS.length > 0) return makeDistributed(server, name, how);
  await admin.query(`create database ${name} ${how}`);
  return {
    connectionString: databaseAddress(server, name),
    // Also with connections still open, so that a failed test leaves nothing.
    drop: async () => void (await admin.query(`drop database if exists ${name} with (force)`)),
  };
}

async function makeDistributed(server: string, name: string, how: string): Promise<TestDatabase> {
  await onEachServer(server, 'postgres', `create database ${name} ${how}`);
  return {
    connectionString: databaseAddress(server, name),
    drop: () => dropOnEachServer(server, name),
  };
}

const IN_USE = '55006';
const MOST_DROPS = 5;

/** The process that Citus keeps in each database may connect again while it is dropped: then it is dropped once more. */
async function dropOnEachServer(server: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await onEachServer(server, 'postgres', `drop database if exists ${name} with (force)`);
    } catch (error) {
      if (attempt === MOST_DROPS || (error as { code?: string }).code !== IN_USE) throw error;
    }
  }
}
