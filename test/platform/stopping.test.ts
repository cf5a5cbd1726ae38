import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
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
/** The moment of the farewell and the time for the rest of what has begun, on a busy machine. */
const SOME_SECONDS_MS = 10_000;
/** The fast path has handed the beginning of a request over to Node. */
const LONGER_THAN_HELD_MS = 1_300;
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
    ['a plain one', '', LONGER_THAN_FAREWELL_MS],
    ['a plain one that Node has taken over', '', LONGER_THAN_HELD_MS],
    ['one that Node reads', 'X-Twice: a\r\nX-Twice: b\r\n', LONGER_THAN_HELD_MS],
  ] as const)(
    'answers a request of which it had only the head as the last of its connection: %s',
    async ([, more, restAfterMs]) => {
      const { server, open } = await startPosts();
      const { client, heard } = await open(headOf(2, more));
      const closing = server.close();
      await sleep(restAfterMs);
      client.write('{}');
      const sentAt = performance.now();
      expect(await heard).toMatch(/^HTTP\/1\.1 200 OK.*connection: close/is);
      await closing;
      // It is not held up for as long as it would have waited for the rest.
      expect(performance.now() - sentAt).toBeLessThan(1_000);
    },
  );

  it('waits some seconds for a request that does not arrive in full, and no longer', async () => {
    const { server, open, decide } = await startPosts();
    const clients = {
      plain: await open(`${headOf(100)}{"email":`),
      readByNode: await open(`${headOf(100, 'Connection: close\r\n')}{"email":`),
      chunks: await open(`${headOf(undefined, 'Transfer-Encoding: chunked\r\n')}9\r\n{"email":\r\n`),
      upload: await open(headOf(1_000_000, 'X-Twice: a\r\nX-Twice: b\r\n')),
    };
    const answered = await open('GET /later HTTP/1.1\r\nHost: a\r\n\r\n');
    const trickle = setInterval(() => clients.upload.client.write(' '), 50);
    const closing = server.close();
    const began = performance.now();
    await Promise.all(Object.values(clients).map(({ heard }) => heard));
    clearInterval(trickle);
    expect(performance.now() - began).toBeLessThan(SOME_SECONDS_MS);
    // What arrived in full is not among them.
    decide();
    expect(await answered.heard).toMatch(/^HTTP\/1\.1 200 OK.*connection: close/is);
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

const headOf = (length: number | undefined, more = '') =>
  `POST /hello HTTP/1.1\r\nHost: a\r\n${more}Content-Type: application/json\r\n${
    length === undefined ? '' : `Content-Length: ${length}\r\n`
  }\r\n`;

/** A server that reads a body, and one answer that waits for `decide`. */
async function startPosts() {
  const server = await createServer({ logger: createLogger('silent'), trustedProxies: [] });
  const decided = Promise.withResolvers<void>();
  server.post('/hello', { bodyLimit: 1_000_000 }, () => '{}');
  server.get('/later', async () => {
    await decided.promise;
    return '{}';
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  /** A client that has sent so much, and the server has read it. */
  const open = async (bytes: string) => {
    const client = connect({ port, host: '127.0.0.1' });
    client.on('error', () => undefined);
    const heard = client
      .setEncoding('utf8')
      .toArray()
      .then(
        (parts) => parts.join(''),
        () => 'cut',
      );
    client.write(bytes);
    const [socket] = (await once(server.server, 'connection')) as [Socket];
    await expect.poll(() => socket.bytesRead).toBe(bytes.length);
    return { client, heard };
  };
  return { server, open, decide: () => decided.resolve() };
}

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
