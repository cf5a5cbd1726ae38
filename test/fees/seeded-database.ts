import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';

/** A PostgreSQL server on which tests may create databases. */
export const SERVER_URL = process.env.TEST_DATABASE_URL;

export interface SeededDatabase {
  database: Database;
  drop(): Promise<void>;
}

/** A new database on the test server with only the given migrations: reference data needs no more. */
export async function createSeededDatabase(...migrations: string[]): Promise<SeededDatabase> {
  if (SERVER_URL === undefined) throw new Error('TEST_DATABASE_URL is not set');
  const server = open(SERVER_URL);
  const name = `manilla_test_${randomBytes(6).toString('hex')}`;
  await server.pool.query(`create database ${name}`);
  const address = new URL(SERVER_URL);
  address.pathname = name;
  const database = open(address.href);
  for (const migration of migrations) {
    await database.pool.query(await readFile(new URL(`../../migrations/${migration}`, import.meta.url), 'utf8'));
  }
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
  return openDatabase({ connectionString, maxConnections: 2, logger: createLogger('silent') });
}

/** The same database, counting the statements that are asked of it; `fail` makes the next one fail. */
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
      query(statement, values) {
        asked += 1;
        if (!failing) return database.query(statement, values);
        failing = false;
        return Promise.reject(new Error('the database went away'));
      },
    },
  };
}
