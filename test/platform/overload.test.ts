import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ApiServer, createServer } from '../../src/platform/http/server.ts';
import { createLogger } from '../../src/platform/logger.ts';

const ALLOWED_MS = 50;

let server: ApiServer;
let busy: NodeJS.Timeout | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  clearInterval(busy);
  await server.close();
});

async function serve(overloadDelayMs?: number): Promise<void> {
  server = await createServer({
    logger: createLogger('silent'),
    trustedProxies: [],
    ...(overloadDelayMs !== undefined && { overloadDelayMs }),
  });
  server.get('/hello', () => '{}');
}

/** Each turn of the event loop takes four times as long as is allowed. */
function beBusy(): void {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  busy = setInterval(() => Atomics.wait(nobody, 0, 0, 4 * ALLOWED_MS), 1);
}

const ask = () => server.inject({ method: 'GET', url: '/hello' });
const statusNow = async () => (await ask()).statusCode;

describe('a process that is late with what it has to do', () => {
  it('refuses requests in words and says when to come again, until it has caught up', async () => {
    await serve(ALLOWED_MS);
    expect(await statusNow()).toBe(200);
    beBusy();
    await expect.poll(statusNow).toBe(503);
    const refused = await ask();
    expect(refused.json()).toMatchObject({ status: false, code: 'OVERLOADED' });
    expect(refused.headers['retry-after']).toBe('2');
    clearInterval(busy);
    await expect.poll(statusNow).toBe(200);
  });

  it('goes on where it is given nothing more of the system, such as a file to read its memory from', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
    vi.spyOn(process, 'memoryUsage').mockImplementation(() => {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    });
    await serve(ALLOWED_MS);
    // What a timer throws ends the process.
    expect(() => vi.advanceTimersByTime(10_000)).not.toThrow();
  });

  it('goes on where the system cannot hand over a connection', async () => {
    await serve();
    await server.listen({ port: 0, host: '127.0.0.1' });
    // As Node does it. Without a listener it ends the process.
    const error = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE', syscall: 'accept' });
    expect(() => server.server.emit('error', error)).not.toThrow();
    expect(await statusNow()).toBe(200);
  });

  it('refuses nobody where no delay is set', async () => {
    await serve();
    beBusy();
    for (let times = 0; times < 7; times += 1) {
      await new Promise((resolve) => setTimeout(resolve, 4 * ALLOWED_MS));
      expect(await statusNow()).toBe(200);
    }
  });
});
