import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
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
