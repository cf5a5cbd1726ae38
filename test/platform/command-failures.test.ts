import { once } from 'node:events';
import fs, {
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sentenceOf, withAnswer } from '../../src/command-failures.ts';
import { type DemoFile, isDemoUnfinished, noteDemoBegun, readDemoFile, writeDemoFile } from '../../src/demo/index.ts';
import { RightMissingError } from '../../src/platform/db/database.ts';
import { asUnavailable } from '../../src/platform/db/failures.ts';
import { databaseAway, unavailable } from '../../src/platform/errors.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { requireFreePort } from '../../src/platform/processes/port.ts';
import { addPepperToFile, loadOrCreateSecrets } from '../../src/platform/secrets.ts';

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
  ['42501', /^The account in DATABASE_URL lacks a right: why\. It has to own/],
  ['53100', /^The database has no space left: /],
  ['57P03', /^The database cannot be reached: /],
])('what the database answers with %s is said in a sentence', (code, sentence) => {
  expect(sentenceOf(Object.assign(new pg.DatabaseError('why', 3, 'error'), { code }))).toMatch(sentence);
});

it('a database that did not answer in time is not said to be away: it may be busy, or wait for a lock', () => {
  for (const waited of ['Query read timeout', 'timeout exceeded when trying to connect'])
    expect(sentenceOf(databaseAway('away', new Error(waited)))).toBe(
      `The database did not answer in time (${waited}): it is busy, waits for a lock, or is not there.`,
    );
});

it('a right that is lacking is said as what found it out has it, also where a request would be refused', () => {
  const lacking = new RightMissingError('grant it create on the schema');
  const refused = asUnavailable(lacking);
  expect(refused).toMatchObject({ kind: 'unavailable' });
  for (const error of [lacking, refused]) expect(sentenceOf(error)).toBe('grant it create on the schema');
});

it('a library that a server cannot load, since its package is upgraded, is said with what to do', () => {
  const message = 'could not load library "/usr/lib/postgresql/15/lib/plpgsql.so": undefined symbol: heap_datum';
  const failed = Object.assign(new pg.DatabaseError(message, 3, 'error'), { code: '58P01' });
  const sentence = `The database server cannot load a library: ${message}. If its package was upgraded, restart it.`;
  expect(sentenceOf(failed)).toBe(sentence);
  expect(sentenceOf(databaseAway('The database cannot be used.', failed))).toBe(sentence);
  const other = Object.assign(new pg.DatabaseError('could not open file "base/1/2"', 3, 'error'), { code: '58P01' });
  expect(sentenceOf(other)).toBeUndefined();
});

it('a certificate of the database whose authority is not known is said with the setting that names it', () => {
  const message =
    'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca';
  const refused = Object.assign(new Error(message), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(sentenceOf(databaseAway('It is away.', refused))).toBe(
    'The database cannot be reached: self-signed certificate. In DATABASE_URL sslrootcert= names the file of the authority that signed it.',
  );
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

it('a folder that a disk for reading does not take is said in a sentence', () => {
  const message = "ENOENT: no such file or directory, mkdir '/mnt/data'";
  const refused = Object.assign(new Error(message), { code: 'ENOENT', syscall: 'mkdir', path: '/mnt/data' });
  expect(sentenceOf(refused)).toBe(`A file or folder of the settings cannot be used: ${message}.`);
});

it('a disk that is full is said in a sentence, also where the file was open already', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  expect(sentenceOf(full)).toBe(
    'A file or folder of the settings cannot be used: ENOSPC: no space left on device, write.',
  );
});

it('a log that its disk has no room for ends nothing and holds nothing up, and goes on when there is room', () => {
  const folder = mkdtempSync(join(tmpdir(), 'manilla-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'log');
  const logger = createLogger('info', undefined, openSync(path, 'w'));
  const disk = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  try {
    logger.error('the first');
    logger.fatal('behind which nothing may wait');
    // Of the long ones a thousand wait; the short ones fill what is left.
    for (let at = 0; at < 2_000; at += 1) logger.warn('x'.repeat(at < 1_900 ? 1_000 : 1));
  } finally {
    disk.mockRestore();
  }
  for (const line of ['there is room, and this line is left out', 'the last']) logger.info(line);
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  expect(lines.slice(0, 2).map((line) => JSON.parse(line).msg)).toEqual(['the first', 'behind which nothing may wait']);
  expect(lines.at(-1)).toContain('the last');
  expect(lines.length).toBeLessThan(1_200);
});

it('a command whose answer the disk did not take as a whole fails in a sentence, and one whose reader went away does not', async () => {
  const answerOf = (code: string) => {
    const stream = new Writable({
      write: (chunk, _encoding, done) =>
        done(String(chunk) === 'two\n' ? Object.assign(new Error(`${code}: write`), { code }) : null),
    });
    return withAnswer(stream, async () => {
      for (const line of ['one\n', 'two\n', 'three\n']) stream.write(line);
      return 0;
    });
  };
  expect(await answerOf('EPIPE')).toBe(0);
  const refused = await answerOf('ENOSPC').catch((error: unknown) => error);
  expect(sentenceOf(refused)).toBe(
    'What was asked for is done, but its answer could not be written as a whole: ENOSPC: write.',
  );
});

it('a demo with the secrets and the database elsewhere makes the folder that it is noted in', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'manilla-demo-'));
  noteDemoBegun(join(dataDir, 'not', 'there'));
  expect(isDemoUnfinished(join(dataDir, 'not', 'there'))).toBe(true);
  rmSync(dataDir, { recursive: true });
});

it('what is noted of a demo goes nowhere that a link leads to, in a folder of another user than the one who starts', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'manilla-demo-'));
  const theirs = join(dataDir, 'of-others');
  writeFileSync(theirs, 'theirs');
  for (const name of ['demo.unfinished', 'demo.json.new']) symlinkSync(theirs, join(dataDir, name));
  noteDemoBegun(dataDir);
  writeDemoFile(dataDir, { baseUrl: 'http://127.0.0.1:3000' } as DemoFile);
  expect([readFileSync(theirs, 'utf8'), readDemoFile(dataDir)?.baseUrl]).toEqual(['theirs', 'http://127.0.0.1:3000']);
  expect(readdirSync(dataDir)).toEqual(['demo.json', 'of-others']);
  rmSync(dataDir, { recursive: true });
});

it.each([
  ['is empty', ''],
  ['is cut off', '{"pinPepper":"a pepper"'],
  ['has no pepper', JSON.stringify({ keyEncryptionKey: Buffer.alloc(32).toString('base64') })],
  ['has a key that is too short', JSON.stringify({ pinPepper: 'a pepper', keyEncryptionKey: 'c2hvcnQ=' })],
  ['has none at all', 'null'],
])('a file of secrets that %s is said in a sentence, shows nothing of it, and is left as it is', (_, text) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'manilla-secrets-'));
  const file = join(dataDir, 'secrets.json');
  writeFileSync(file, text);
  let refused: unknown;
  try {
    loadOrCreateSecrets(dataDir);
  } catch (error) {
    refused = error;
  }
  expect(sentenceOf(refused)).toMatch(
    /secrets\.json is not as it was written: .* Bring it back from where you keep a copy/,
  );
  expect(sentenceOf(refused)).not.toMatch(/a pepper|c2hvcnQ/);
  expect(readFileSync(file, 'utf8')).toBe(text);
  rmSync(dataDir, { recursive: true });
});

it('a database without its file of secrets gets no other one, by any command: the sentence asks for the copy', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'manilla-secrets-'));
  mkdirSync(join(dataDir, 'pg'));
  let refused: unknown;
  try {
    loadOrCreateSecrets(dataDir);
  } catch (error) {
    refused = error;
  }
  expect(sentenceOf(refused)).toMatch(/secrets\.json is missing, and the database in .*pg needs it: .* Bring it back/);
  expect(readdirSync(dataDir)).toEqual(['pg']);
  rmSync(dataDir, { recursive: true });
});

it.runIf(process.getuid?.() === 0)('a pepper that root adds leaves the file of secrets to the user who has it', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'manilla-secrets-'));
  loadOrCreateSecrets(dataDir);
  const file = join(dataDir, 'secrets.json');
  chownSync(file, 65_534, 65_534);
  addPepperToFile(dataDir);
  const { uid, gid, mode } = statSync(file);
  expect([uid, gid, mode & 0o777]).toEqual([65_534, 65_534, 0o600]);
  rmSync(dataDir, { recursive: true });
});

/** A start that waits until as many others are about to make the secrets. */
const STARTER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { dataDir, module, gate, all } = workerData;
  import(module).then(({ loadOrCreateSecrets }) => {
    Atomics.add(gate, 0, 1);
    while (Atomics.load(gate, 0) < all) Atomics.wait(gate, 0, Atomics.load(gate, 0), 5);
    parentPort.postMessage(loadOrCreateSecrets(dataDir).pepperId);
  });`;

it('first starts at one moment all have the secrets that are on the disk, and leave nothing beside them', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'manilla-secrets-'));
  const all = 4;
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const module = pathToFileURL(join(import.meta.dirname, '../../src/platform/secrets.ts')).href;
  const starts = Array.from({ length: all }, async () => {
    const thread = new Worker(STARTER, { eval: true, workerData: { dataDir, module, gate, all } });
    const [pepperId] = (await once(thread, 'message')) as [string];
    return pepperId;
  });
  const pepperIds = await Promise.all(starts);
  expect(new Set(pepperIds)).toEqual(new Set([loadOrCreateSecrets(dataDir).pepperId]));
  expect(readdirSync(dataDir)).toEqual(['secrets.json']);
  rmSync(dataDir, { recursive: true });
});
