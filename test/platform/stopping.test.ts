import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { createServer } from '../../src/platform/http/server.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { EagerClient, Heard } from './eager-client.ts';

const CONNECTIONS = 20;
/** Longer than a stopping server waits for requests that are on their way. */
const BUSY_MS = 400;
const ALL_ANSWERED = (times: number): Heard[] => Array.from({ length: CONNECTIONS }, () => Array(times).fill(200));

let client: Worker | undefined;
afterEach(async () => void (await client?.terminate()));

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
});
