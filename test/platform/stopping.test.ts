import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createServer } from '../../src/platform/http/server.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { EagerClient, Heard } from './eager-client.ts';

const CONNECTIONS = 20;
/** Longer than a stopping server waits for requests that are on their way. */
const BUSY_MS = 400;
const LONGER_THAN_FAREWELL_MS = 400;
const A_MINUTE_MS = 60_000;
const ALL_ANSWERED = (times: number): Heard[] => Array.from({ length: CONNECTIONS }, () => Array(times).fill(200));

let client: Worker | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await client?.terminate();
});

async function startServer() {
  const server = await createServer({ logger: createLogger('silent'), trustedProxies: [] });
  server.get('/hello', () => '{}');
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('eager-client.ts', import.meta.url), {
    workerData: { port, connections: CONNECTIONS, sent } satisfies EagerClient,
  });
  client = worker;
  await once(worker, 'online');
  /** Until the system has so many requests for us; this thread does nothing else, as in a busy process. */
  const beBusyUntilSent = (requests: number) => {
    for (let seen = 0; seen < requests; seen = Atomics.load(sent, 0)) Atomics.wait(sent, 0, seen);
  };
  const report = async (when = 'report'): Promise<Heard[]> => {
    worker.postMessage(when);
    return (await once(worker, 'message'))[0] as Heard[];
  };
  return { server, worker, beBusyUntilSent, report };
}

describe('a server that stops while its process is busy', () => {
  it('answers who has connected and asked before it was told to stop', async () => {
    const { server, worker, beBusyUntilSent, report } = await startServer();
    worker.postMessage('open');
    beBusyUntilSent(CONNECTIONS);
    await server.close();
    expect(await report('report at the end')).toEqual(ALL_ANSWERED(1));
  });

  it('answers what came on open connections while it was too busy to look', async () => {
    const { server, worker, beBusyUntilSent, report } = await startServer();
    worker.postMessage('open');
    await expect.poll(() => report()).toEqual(ALL_ANSWERED(1));
    const closing = server.close();
    await expect.poll(() => server.server.listening).toBe(false);
    // Behind it timers come before sockets.
    await nextTurn();
    worker.postMessage('ask again');
    beBusyUntilSent(2 * CONNECTIONS);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
    await closing;
    expect(await report('report at the end')).toEqual(ALL_ANSWERED(2));
  });

  it('does not wait for connections on which nobody asks', async () => {
    const { server, worker, report } = await startServer();
    worker.postMessage('open');
    await expect.poll(() => report()).toEqual(ALL_ANSWERED(1));
    await server.close();
    expect(await report('report at the end')).toEqual(ALL_ANSWERED(1));
  });

  it.for([
    ['a plain one', ''],
    ['one that Node reads', 'X-Twice: a\r\nX-Twice: b\r\n'],
  ] as const)('answers a request of which it had only the head: %s', async ([, more]) => {
    const server = await createServer({ logger: createLogger('silent'), trustedProxies: [] });
    server.post('/hello', () => '{}');
    await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1' });
    const heard = client.setEncoding('utf8').toArray();
    client.write(
      `POST /hello HTTP/1.1\r\nHost: a\r\n${more}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n`,
    );
    await once(server.server, 'connection');
    await sleep(20);
    const closing = server.close();
    await sleep(LONGER_THAN_FAREWELL_MS);
    client.write('{}');
    expect((await heard).join('')).toMatch(/^HTTP\/1\.1 200 OK.*connection: close/is);
    await closing;
  });

  it('waits for an answer however long it takes: how long a stop may take is decided where it is ordered', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const { server, client, heard, decide } = await askAndWait(() => '{}');
    const closing = server.close();
    await sleep(LONGER_THAN_FAREWELL_MS);
    vi.advanceTimersByTime(A_MINUTE_MS);
    decide();
    await expect(closing).resolves.toBeUndefined();
    expect(await heard).toMatch(/^HTTP\/1\.1 200 OK.*connection: close/is);
    client.destroy();
  });

  it('ends the connection behind a stream that had begun', async () => {
    const rest = Promise.withResolvers<void>();
    const { server, client, heard, decide } = await askAndWait(() =>
      Readable.from(
        (async function* () {
          yield 'one,';
          await rest.promise;
          yield 'two';
        })(),
      ),
    );
    const begun = once(client, 'readable');
    decide();
    await begun;
    const closing = server.close();
    await sleep(LONGER_THAN_FAREWELL_MS);
    rest.resolve();
    await closing;
    expect(await heard).toContain('two');
  });
});

/** A request whose answer waits for `decide`; the client keeps its connection for as long as it may. */
async function askAndWait(answer: () => unknown) {
  const server = await createServer({ logger: createLogger('silent'), trustedProxies: [] });
  const asked = Promise.withResolvers<void>();
  const decided = Promise.withResolvers<void>();
  server.get('/hello', async () => {
    asked.resolve();
    await decided.promise;
    return answer();
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const client = connect({ port: (server.server.address() as AddressInfo).port, host: '127.0.0.1' });
  const heard = client
    .setEncoding('utf8')
    .toArray()
    .then((parts) => parts.join(''));
  client.write('GET /hello HTTP/1.1\r\nHost: a\r\n\r\n');
  await asked.promise;
  return { server, client, heard, decide: () => decided.resolve() };
}
