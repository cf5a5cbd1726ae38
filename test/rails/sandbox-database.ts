import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';

/** A new database on the test server that holds the sandbox rail's table and nothing else. */
export async function createSandboxDatabase(): Promise<{ database: Database; drop(): Promise<void> }> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (serverUrl === undefined) throw new Error('TEST_DATABASE_URL is not set');
  const server = open(serverUrl);
  const name = `manilla_rails_${randomBytes(6).toString('hex')}`;
  await server.pool.query(`create database ${name}`);
  const address = new URL(serverUrl);
  address.pathname = name;
  const database = open(address.href);
  const migration = new URL('../../migrations/0050_sandbox-rail.sql', import.meta.url);
  await database.pool.query(await readFile(migration, 'utf8'));
  return {
    database,
    async drop() {
      await database.close();
      await server.pool.query(`drop database ${name} with (force)`);
      await server.close();
    },
  };
}

function open(connectionString: string): Database {
  return openDatabase({ connectionString, maxConnections: 4, logger: createLogger('silent') });
}
