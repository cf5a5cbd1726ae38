import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type Connection, openConnection } from '../../src/webhooks/connection.ts';
import { startReceiver } from './receiver.ts';

/** No call of these tests may wait for it: one that did would not end in the time of a test. */
const NEVER_MS = 60 * 60_000;
/** Far more than is read, and than the system takes in between: so much is written only where nobody stops it. */
const ENDLESS_BYTES = 50_000_000;
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const CALL = { 'content-type': 'application/json' };

interface RawReceiver {
  connection: Connection;
  calls(): number;
  connections(): number;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A receiver that writes bytes of its own for each call; `call` counts them from 1. Calls have the body `{}`. */
async function connectRaw(
  answer: (socket: Socket, call: number) => void,
  timeoutMs: number = NEVER_MS,
): Promise<RawReceiver> {
  let calls = 0;
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      if (!text.endsWith('{}')) return;
      text = '';
      calls += 1;
      answer(socket, calls);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const connection = openConnection(`http://127.0.0.1:${port}/`, {
    mode: 'SANDBOX',
    allowLoopback: true,
    timeoutMs,
  });
  closing.push(() => {
    connection.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { connection, calls: () => calls, connections: () => sockets.length };
}

describe('a connection', () => {
  it('that comes too late for one call is there for the next one, and what was given up is not sent', async () => {
    const receiver = await startReceiver();
    const found = Promise.withResolvers<string[]>();
    const connection = openConnection(`http://shop.example.com:${receiver.port}/`, {
      mode: 'SANDBOX',
      allowLoopback: true,
      timeoutMs: 2_000,
      resolve: () => found.promise,
    });
    closing.push(
      () => connection.close(),
      () => void receiver.close(),
    );
    expect(await connection.post('{"sequence":1}', CALL)).toMatchObject({ error: 'No answer within 2 seconds.' });
    const next = connection.post('{"sequence":2}', CALL);
    found.resolve(['127.0.0.1']);
    expect(await next).toMatchObject({ statusCode: 200, error: null });
    expect(receiver.sequences()).toEqual([2]);
    expect(receiver.connections()).toBe(1);
  });

  it('stays open for any number of long answers: what is read of each is limited, not of all', async () => {
    const body = 'a'.repeat(60_000);
    const { connection, connections } = await connectRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
    for (let call = 1; call <= 5; call += 1) {
      expect(await connection.post('{}', CALL)).toMatchObject({ statusCode: 200, answer: body.slice(0, 2_048) });
    }
    expect(connections()).toBe(1);
  });

  it('gives each call its whole time, however long ago the one before was', async () => {
    const { connection, calls } = await connectRaw((socket, call) => {
      if (call !== 3) setTimeout(() => socket.write(OK), call === 2 ? 1_200 : 0);
    }, 2_000);
    expect(await connection.post('{}', CALL)).toMatchObject({ statusCode: 200 });
    await sleep(1_200);
    expect(await connection.post('{}', CALL)).toMatchObject({ statusCode: 200, error: null });
    // While nothing is called its time may be up.
    await sleep(2_200);
    expect(await connection.post('{}', CALL)).toMatchObject({ error: 'No answer within 2 seconds.' });
    expect(await connection.post('{}', CALL)).toMatchObject({ statusCode: 200, error: null });
    expect(calls()).toBe(4);
  });
});

describe('an answer without end', () => {
  /** Writes `unit` again and again behind `head`, as fast as it is taken. @returns what became of the call */
  async function flood(head: string, unit: string) {
    const piece = unit.repeat(Math.ceil(30_000 / unit.length));
    let written = 0;
    const { connection } = await connectRaw((socket) => {
      socket.write(head);
      const more = () => {
        let takesMore = true;
        while (takesMore && written < ENDLESS_BYTES && !socket.destroyed) {
          written += piece.length;
          takesMore = socket.write(piece);
        }
      };
      socket.on('drain', more);
      more();
    });
    const result = await connection.post('{}', CALL);
    return { result, written };
  }

  const TOO_MUCH = 'The receiver sent more than is read of an answer.';
  const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  it.each([
    ['in lines before its status', '', '\r\n', { statusCode: null, error: TOO_MUCH }],
    ['in the words of its status', 'HTTP/1.1 200 ', 'OK', { statusCode: null, error: TOO_MUCH }],
    ['in the spaces before a header', 'HTTP/1.1 200 OK\r\na:', ' ', { statusCode: null, error: TOO_MUCH }],
    ['in what is said of a chunk', `${CHUNKED}1;`, 'a', { statusCode: 200, error: null }],
    ['in the zeros of the size of a chunk', CHUNKED, '0', { statusCode: 200, error: null }],
    ['in chunks of one byte', CHUNKED, '1\r\na\r\n', { statusCode: 200, error: null }],
    [
      'in answers of 1xx',
      '',
      'HTTP/1.1 103 Early Hints\r\n\r\n',
      { statusCode: null, error: 'The receiver sent more than 16 answers of 1xx and no other.' },
    ],
  ])('%s is read no further than a limit', async (_where, head, unit, expected) => {
    const { result, written } = await flood(head, unit);
    expect(result).toMatchObject(expected);
    expect(written).toBeLessThan(ENDLESS_BYTES / 2);
  });

  it.each([
    [200, null],
    [500, 'The receiver answered 500.'],
  ])('that comes slowly ends by itself, and its status %i counts', async (status, error) => {
    const { connection, calls } = await connectRaw((socket, call) => {
      socket.write(call === 1 ? `HTTP/1.1 ${status} So\r\ncontent-length: 100000\r\n\r\nthinking` : OK);
      const timer = setInterval(() => socket.write('.'), 50);
      socket.on('close', () => clearInterval(timer));
      if (call > 1) clearInterval(timer);
    });
    const result = await connection.post('{}', CALL);
    expect(result).toMatchObject({ statusCode: status, error });
    expect(result?.answer).toMatch(/^thinking\.*$/);
    expect(await connection.post('{}', CALL)).toMatchObject({ statusCode: 200, answer: 'ok' });
    expect(calls()).toBe(2);
  });

  it('may have up to 16 answers of 1xx before it', async () => {
    const { connection } = await connectRaw((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(16) + OK);
    });
    for (let call = 1; call <= 3; call += 1) {
      expect(await connection.post('{}', CALL)).toMatchObject({ statusCode: 200, error: null });
    }
  });
});

describe('an answer that nobody asked for', () => {
  const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\n';
  const SWITCHED = 'The receiver sent 101 Switching Protocols, which it was not asked for.';
  it.each([
    ['100', `HTTP/1.1 100 Continue\r\n\r\n${OK}`, 'The receiver sent 100 Continue, which it was not asked for.'],
    ['101', `${SWITCHING}connection: upgrade\r\nupgrade: websocket\r\n\r\n`, SWITCHED],
    ['101 without saying to what', `${SWITCHING}\r\n`, SWITCHED],
    ['099, which is no status', 'HTTP/1.1 099 So\r\ncontent-length: 0\r\n\r\n', 'The answer is not valid HTTP.'],
  ])('%s is a failure in words of its own, and the event is not sent again at once', async (_what, bytes, error) => {
    const { connection, calls } = await connectRaw((socket, call) => socket.write(call === 2 ? bytes : OK));
    expect(await connection.post('{}', CALL)).toMatchObject({ statusCode: 200 });
    expect(await connection.post('{}', CALL)).toMatchObject({ statusCode: null, answer: null, error });
    expect(calls()).toBe(2);
    expect(await connection.post('{}', CALL)).toMatchObject({ statusCode: 200 });
    expect(calls()).toBe(3);
  });
});
