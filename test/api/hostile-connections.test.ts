import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { refusalFaults } from '../support/operations.ts';
import { readBooks } from '../support/world.ts';

/** What arrives is not even HTTP as it should be: these need a real socket. */
let t: TestApp;
let port: number;

beforeAll(async () => {
  t = await createTestApp();
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  port = (t.app.server.server.address() as { port: number }).port;
});
afterAll(() => t.close());

interface RawAnswer {
  status: number;
  headers: string;
  body: unknown;
}

/** Writes bytes to a socket and reads until the server hangs up. */
async function exchange(bytes: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.write(bytes);
  const answer = await text(socket).catch((error: Error) => error.message);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const parsed = JSON.parse(body === '' ? 'null' : body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)) as unknown;
  return { status: Number(head.split(' ')[1]), headers: head.toLowerCase(), body: parsed };
}

const HEAD = 'POST /branch/store/debit HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n';

describe('a request that is not HTTP as it should be', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header without a name', `${HEAD}: nothing\r\n\r\n`, 400],
    ['a header with a NUL', `${HEAD}x-note: a\0b\r\n\r\n`, 400],
    ['two lengths', `${HEAD}content-length: 5\r\ncontent-length: 6\r\n\r\nhello`, 400],
    ['a length and chunks', `${HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a length that is no number', `${HEAD}content-length: five\r\n\r\nhello`, 400],
    [
      'chunks of nonsense',
      `${HEAD}authorization: Bearer KEY\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
      400,
    ],
    ['headers without end', `${HEAD}x-long: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
  ])('%s is refused in the one voice', async (_label, bytes, status) => {
    const before = await readBooks(t.connectionString);
    const answer = await exchange(bytes.replace('KEY', t.merchant.secretKey));
    expect(answer.status, answer.headers).toBe(status);
    expect(refusalFaults(answer.body), JSON.stringify(answer.body)).toEqual([]);
    expect(answer.headers).toContain('x-request-id: ');
    expect(await readBooks(t.connectionString)).toEqual(before);
  });

  it('with two callers, hosts or types is refused, whichever is good: a proxy may have looked at the other one', async () => {
    const good = {
      authorization: `Bearer ${t.merchant.secretKey}`,
      host: 'localhost',
      'content-type': 'application/json',
    };
    const body = '{"amount":100}';
    const post = (...more: [string, string][]) => {
      const lines = [...Object.entries(good), ...more].map(([name, value]) => `${name}: ${value}\r\n`);
      const head = `POST /payout/quote HTTP/1.1\r\nconnection: close\r\ncontent-length: ${body.length}\r\n`;
      return exchange(`${head}${lines.join('')}\r\n${body}`);
    };
    expect((await post()).status).toBe(200);
    for (const [name, other] of [
      ['Authorization', 'Bearer sk_test_nonsense'],
      ['Host', 'elsewhere.example'],
      ['Content-Type', 'text/plain'],
    ] as const) {
      for (const value of [other, good[name.toLowerCase() as keyof typeof good]]) {
        const { status, body: said } = await post([name, value]);
        const message = `The header ${name} is there more than once. Send it once.`;
        expect([status, said]).toEqual([400, expect.objectContaining({ code: 'REQUEST_MALFORMED', message })]);
      }
    }
  });

  it('a body in chunks is read like any other, and refused where it becomes longer than its route takes', async () => {
    const head = 'POST /session HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n';
    const inChunks = (...chunks: string[]) =>
      `${head}transfer-encoding: chunked\r\n\r\n${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;
    const read = await exchange(inChunks('{"email":"nobody@shop.', 'example","password":"a long password"', '}'));
    expect([read.status, read.body]).toEqual([401, expect.objectContaining({ code: 'SIGN_IN_REFUSED' })]);
    const refused = await exchange(inChunks('{"email":"', ...new Array<string>(17).fill('x'.repeat(1024)), '"}'));
    expect([refused.status, refused.body]).toEqual([413, expect.objectContaining({ code: 'BODY_TOO_LARGE' })]);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });

  it('a client that hangs up in the middle of its body moves nothing', async () => {
    const before = await readBooks(t.connectionString);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const { merchant } = t;
    const body = JSON.stringify({ pin: merchant.pin, amount: 5, storeId: merchant.storeIds[0], narration: 'Half' });
    const auth = `authorization: Bearer ${merchant.secretKey}\r\ncontent-type: application/json\r\n`;
    socket.write(`${HEAD}${auth}content-length: ${body.length}\r\n\r\n${body.slice(0, -10)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await readBooks(t.connectionString)).toEqual(before);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });
});

describe('a server that closes', () => {
  it('waits for nobody who has asked for nothing: no connection in reserve, no half of a head', async () => {
    const other = await createTestApp();
    const { server } = other.app;
    await server.listen({ port: 0, host: '127.0.0.1' });
    const address = server.server.address() as { port: number };
    const here: Socket[] = [];
    server.server.on('connection', (socket) => here.push(socket));
    const silent = connect(address.port, '127.0.0.1');
    const slow = connect(address.port, '127.0.0.1');
    for (const socket of [silent, slow]) socket.on('error', () => undefined);
    await Promise.all([once(silent, 'connect'), once(slow, 'connect')]);
    const ends = [once(silent, 'close'), once(slow, 'close')];
    slow.write('GET /livez HTTP/1.1\r\nhost: loc');
    await expect.poll(() => here.map(({ bytesRead }) => bytesRead > 0)).toEqual(expect.arrayContaining([false, true]));
    await other.close();
    await Promise.all(ends);
  });
});
