import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { expect, it } from 'vitest';
import { sentenceOf } from '../../src/command-failures.ts';
import { unavailable } from '../../src/platform/errors.ts';
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
});
