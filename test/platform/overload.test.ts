import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { unavailable } from '../../src/platform/errors.ts';
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

/** A client that sends a request, and reads when it is told to. */
async function knock(path: string, header: string): Promise<{ client: Socket; socket: Socket }> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const taken = once(server.server, 'connection') as Promise<[Socket]>;
  const client = connect({ port, host: '127.0.0.1' }).pause();
  client.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}\r\n`);
  const [socket] = await taken;
  return { client, socket };
}

const WAYS = [
  ['a plain request', ''],
  ['one that Node reads', 'TE: trailers\r\n'],
] as const;

describe('a connection on which nothing went for long', () => {
  it.for(WAYS)(
    'is ended where its client takes nothing of the answer, with what that is made of: %s',
    async ([, header]) => {
      await serve();
      const file = new Readable({
        read() {
          this.push(Buffer.alloc(64 * 1024));
        },
      });
      server.get('/file', (_request, reply) => reply.send(file));
      const { client, socket } = await knock('/file', header);
      await expect.poll(() => socket.writableNeedDrain).toBe(true);
      expect(socket.timeout).toBeGreaterThan(0);
      socket.emit('timeout');
      await expect.poll(() => file.destroyed).toBe(true);
      client.destroy();
    },
  );

  it.for(WAYS)('is kept while its answer is being made: %s', async ([, header]) => {
    await serve();
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<string>();
    server.get('/slow', () => {
      asked.resolve();
      return answered.promise;
    });
    const { client, socket } = await knock('/slow', header);
    await asked.promise;
    socket.emit('timeout');
    expect(socket.destroyed).toBe(false);
    answered.resolve('{}');
    client.resume();
    expect(String((await once(client, 'data'))[0])).toContain('200 OK');
    client.destroy();
  });
});

describe('the log of requests that fail for the same reason', () => {
  it.each([
    ['warn', 'a database that is away', () => unavailable('Away.', new Error('connect ECONNREFUSED'))],
    ['error', 'a defect', () => new Error('a defect')],
  ] as const)(
    'has twenty lines of them in a minute, and then how many were left out: %s, %s',
    async (level, _what, made) => {
      await serve();
      server.get('/fails', () => Promise.reject(made()));
      const logged = vi.spyOn(server.log, level);
      const now = vi.spyOn(performance, 'now').mockReturnValue(60_000);
      const fail = () => server.inject({ method: 'GET', url: '/fails' });
      for (let times = 0; times < 25; times += 1) await fail();
      expect(logged).toHaveBeenCalledTimes(20);
      now.mockReturnValue(120_000);
      await fail();
      expect(logged).toHaveBeenCalledTimes(21);
      expect(logged.mock.lastCall?.[0]).toMatchObject({ leftOut: 5 });
    },
  );
});
