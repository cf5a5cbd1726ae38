import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRunningEmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestApp } from '../support/app.ts';
import { tally } from '../support/http-client.ts';
import { type Load, startLoad, type Wish } from '../support/load.ts';
import {
  launchService,
  makeDataDir,
  postmasterPid,
  readDemo,
  removeDataDir,
  type ServiceProcess,
  startService,
} from '../support/service.ts';
import { rowsOf } from '../support/world.ts';

/** SIGTERM is an ordinary day: what was taken in is answered, what was not answered was never taken in. */
const dataDir = makeDataDir();
let service: ServiceProcess;

beforeAll(async () => {
  service = await startService({ dataDir, env: { LOG_LEVEL: 'info' } });
});
afterAll(() => removeDataDir(dataDir, [service]));

const answered = (load: Load) => () => load.wishes.filter(({ answer }) => answer !== undefined).length;

/** After twenty seconds a stop is cut short. */
const LESS_THAN_A_DRAIN_MS = 15_000;
/** Workers without work need a look at the database for it. */
const WORKERS_END_MS = 1_000;
const halfOfARequest =
  'POST /session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":';

/** Requests at once. */
const CALLERS = 32;

describe.each(['SIGTERM', 'SIGINT'] as const)('%s in the middle of traffic', (signal) => {
  let wishes: Wish[];
  let exitCode: number | null;

  it('ends with exit code 0 and leaves no database behind', async () => {
    if (service.child.exitCode !== null) service = await startService({ dataDir, env: { LOG_LEVEL: 'info' } });
    const demo = readDemo(dataDir);
    const load = startLoad(service.baseUrl, demo, CALLERS, [], signal);
    await expect.poll(answered(load), { timeout: 60_000 }).toBeGreaterThan(32);
    const ended = service.end(signal);
    // New ones keep coming until nobody listens any more.
    exitCode = await ended;
    await load.stop();
    wishes = load.wishes;
    expect(exitCode, service.output().slice(-2_000)).toBe(0);
    expect(postmasterPid(dataDir)).toBeUndefined();
  });

  it('says in the log that it stops, by which signal, and that it has stopped', () => {
    const lines = service.output().matchAll(/\{.*"msg":"(stopping|stopped)".*\}/g);
    const said = Array.from(lines, ([line]) => JSON.parse(line) as { msg: string; signal?: string });
    expect(said.map(({ msg, signal: by }) => ({ msg, by }))).toEqual([
      { msg: 'stopping', by: signal },
      { msg: 'stopped', by: undefined },
    ]);
  });

  it('answered everything that it took in: what got no answer is not in the books', async () => {
    const unanswered = wishes.filter(({ answer }) => answer === undefined);
    const heard = tally(unanswered.flatMap((wish) => wish.heard));
    // Refused at the door is plain; a connection that is cut under a request makes its client wonder. The system cuts those
    // that it has accepted and the process has not, when it stops listening; a process that cut its own would cut nearly all.
    expect(unanswered.length - (heard['ECONNREFUSED'] ?? 0), JSON.stringify(heard)).toBeLessThan(CALLERS / 2);
    process.stdout.write(
      `${signal}: ${wishes.length} asked, ${unanswered.length} not answered; heard ${JSON.stringify(heard)}\n`,
    );
    const database = await startEmbeddedPostgres({ dataDir, logger: createLogger('silent') });
    const kept = await rowsOf<{ key: string }>(
      database.connectionString,
      `select key from idempotency_keys where key like $1`,
      [`${signal}-%`],
    );
    await database.stop();
    const keys = new Set(kept.map(({ key }) => key));
    expect(unanswered.filter(({ key }) => keys.has(key)).map(({ key, heard: said }) => [key, said])).toEqual([]);
    expect(wishes.filter(({ key, answer }) => answer?.status === 200 && !keys.has(key))).toEqual([]);
    // An answer to the very end: no half answer, and no page of somebody else's.
    for (const { answer } of wishes) if (answer !== undefined) expect(JSON.parse(answer.text)).toHaveProperty('status');
  });

  it('said to nobody that something went wrong', () => {
    const defects = wishes.flatMap(({ heard }) => heard).filter((text) => text.startsWith('5'));
    expect(tally(defects)).toEqual({});
  });
});

describe.each([1, 2])('a stop with %i of its processes', (processes) => {
  it('is not held up by a client that sends half of a request and then nothing', async () => {
    await service.end('SIGTERM');
    service = await startService({ dataDir, env: { LOG_LEVEL: 'info', PROCESSES: String(processes) } });
    const client = connect(service.port, '127.0.0.1').on('error', () => undefined);
    client.write(halfOfARequest);
    await once(client, 'connect');
    // Until it is read: nothing shows that from outside.
    await sleep(300);
    const began = performance.now();
    const code = await service.end('SIGTERM');
    client.destroy();
    expect(code, service.output().slice(-2_000)).toBe(0);
    expect(performance.now() - began).toBeLessThan(LESS_THAN_A_DRAIN_MS);
    expect(service.output()).toContain('"msg":"stopped"');
    expect(postmasterPid(dataDir)).toBeUndefined();
  });
});

describe('a client that takes nothing of its answers', () => {
  it('does not have the stop cut short: the service ends in order, and its database with it', async () => {
    await service.end('SIGTERM');
    service = await startService({ dataDir, env: { LOG_LEVEL: 'info' } });
    const client = connect(service.port, '127.0.0.1').on('error', () => undefined);
    await once(client, 'connect');
    client.pause();
    // More than the system keeps for who does not read.
    for (let at = 0; at < 200; at += 1) client.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await sleep(1_000);
    const code = await service.end('SIGTERM');
    client.destroy();
    expect(code, service.output().slice(-2_000)).toBe(0);
    expect(service.output()).toContain('"msg":"stopped"');
    expect(postmasterPid(dataDir)).toBeUndefined();
  });
});

describe('a stop of the service', () => {
  it('ends the workers while it waits for requests, not after them', async () => {
    const asked: string[] = [];
    const t = await createTestApp({}, (database) => ({
      ...database,
      query(statement, ...rest) {
        asked.push(statement.name);
        return database.query(statement, ...rest);
      },
    }));
    await t.app.server.listen({ port: 0, host: '127.0.0.1' });
    t.app.startWorkers();
    const { port } = t.app.server.server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    client.write(halfOfARequest);
    await expect.poll(() => asked.length).toBeGreaterThan(3);
    const closing = t.app.close();
    await sleep(WORKERS_END_MS);
    asked.length = 0;
    await sleep(1_000);
    expect(client.closed).toBe(false);
    expect(asked.filter((name) => name.includes('-due-'))).toEqual([]);
    client.destroy();
    await closing;
    await t.close();
  });
});

describe('a signal before anything is served', () => {
  it.each([
    ['a command', ['verify'], 'SIGINT', [130]],
    // Its own way of ending begins with the database: the one or the other takes the signal.
    ['a start', [], 'SIGTERM', [143, 0]],
  ] as const)(
    'ends %s with the database that it started, and nothing is said to be away',
    async (_, args, signal, codes) => {
      await service.end('SIGTERM');
      const { child, ready } = launchService({ dataDir, args: [...args] });
      const output = ready.then(
        (up) => up.output(),
        (error: Error) => error.message,
      );
      await expect.poll(() => findRunningEmbeddedPostgres(dataDir), { timeout: 60_000, interval: 5 }).toBeDefined();
      child.kill(signal);
      const said = await output;
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      expect(codes, said).toContain(child.exitCode);
      expect(postmasterPid(dataDir)).toBeUndefined();
      expect(said).not.toContain('cannot be reached');
    },
  );
});
