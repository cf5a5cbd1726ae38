import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { sentenceOf } from '../../src/command-failures.ts';
import { isDemoUnfinished, noteDemoBegun } from '../../src/demo/index.ts';
import { databaseAway, unavailable } from '../../src/platform/errors.ts';
import { requireFreePort } from '../../src/platform/processes/port.ts';

const failureOf = (listening: Promise<number>) =>
  listening.then(
    () => undefined,
    (error: unknown) => sentenceOf(error),
  );

it('an address that cannot be listened on is said in a sentence, and is not taken for the database', async () => {
  const other = createServer().listen({ port: 0, host: '127.0.0.1' });
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await failureOf(requireFreePort(port, '127.0.0.1'))).toMatch(/^Port \d+ of 127\.0\.0\.1 is in use: /);
  other.close();
  expect(await failureOf(requireFreePort(0, '192.0.2.1'))).toBe(
    'HOST must be an address of this machine; it is "192.0.2.1".',
  );
});

it.each([
  ['28P01', /^The database refuses what DATABASE_URL says: /],
  ['3D000', /^The database refuses what DATABASE_URL says: /],
  ['42P01', /^The database has not the tables of this version: /],
  ['57P03', /^The database cannot be reached: /],
])('what the database answers with %s is said in a sentence', (code, sentence) => {
  expect(sentenceOf(Object.assign(new pg.DatabaseError('why', 3, 'error'), { code }))).toMatch(sentence);
});

it('a defect is no sentence, and a service that is away is its own', () => {
  expect(sentenceOf(new TypeError('x is not a function'))).toBeUndefined();
  expect(sentenceOf(unavailable('It is away.'))).toBe('It is away.');
  const ofRail = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(sentenceOf(unavailable('The rail does not answer.', ofRail))).toBe('The rail does not answer.');
});

it('what kept the database away is said, and not only that it is away', () => {
  const refused = Object.assign(new pg.DatabaseError('no such role', 12, 'error'), { code: '28000' });
  expect(sentenceOf(databaseAway('It is away.', refused))).toBe(
    'The database refuses what DATABASE_URL says: no such role.',
  );
});

it('a folder that this user may not write in is said in a sentence', () => {
  const folder = join(import.meta.filename, 'data');
  let refused: unknown;
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    refused = error;
  }
  expect(sentenceOf(refused)).toMatch(
    /^A file or folder of the settings cannot be used: ENOTDIR: not a directory, mkdir '.*'\.$/,
  );
});

it('a demo with the secrets and the database elsewhere makes the folder that it is noted in', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'manilla-demo-'));
  noteDemoBegun(join(dataDir, 'not', 'there'));
  expect(isDemoUnfinished(join(dataDir, 'not', 'there'))).toBe(true);
  rmSync(dataDir, { recursive: true });
});
