import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { finished, Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { setImmediate as polled, setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFastPath } from '../../src/platform/http/fast-path.ts';

/** Nobody says more for so long: the client has received all. */
const SILENT_MS = 500;
/** Fifty megabytes go from one full buffer to the other: seconds on a quiet machine, a minute where others keep it busy. */
const FULL_BUFFERS_MS = 300_000;
/** Bytes of requests that nobody answered yet: a packet or two. */
const MOST_AHEAD = 256 * 1_024;
/** Of requests with random edits, at a time; `npm run test:long` has more. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 6);
const AT_ONCE = 20;
const LARGE = 'naira ₦ '.repeat(200_000);
const LAST = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

interface Seen {
  /** Requests that did not go through Node's parser. */
  plain: number;
  all: number;
}

/** Answers in every way that a server of Node's can, by the address. */
function listener(seen: Seen) {
  return (request: IncomingMessage, response: ServerResponse) => {
    seen.all += 1;
    if (!(request instanceof IncomingMessage)) seen.plain += 1;
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => void answer(request, response, Buffer.concat(parts).toString('latin1')));
    request.resume();
  };
}

async function answer({ method, url = '', headers }: IncomingMessage, response: ServerResponse, body: string) {
  const text = JSON.stringify({ method, url, headers, body, naira: '₦' });
  const plain = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  if (url.startsWith('/later')) await sleep(20);
  if (url.startsWith('/stream')) {
    response.setHeader('content-type', 'text/plain');
    response.write('one,');
    await sleep(5);
    response.write('two,');
    response.end('three');
  } else if (url.startsWith('/large')) {
    Readable.from([LARGE, LARGE]).pipe(response);
  } else if (url.startsWith('/none')) {
    response.writeHead(204);
    response.end();
  } else if (url.startsWith('/last-one')) {
    response.writeHead(200, { ...plain, connection: 'close' });
    response.end(text);
  } else if (url.startsWith('/set')) {
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.writeHead(201, plain);
    response.end(text);
  } else if (url.startsWith('/bytes')) {
    response.writeHead(200, plain);
    response.end(Buffer.from(text));
  } else if (url.startsWith('/unsized')) {
    response.writeHead(200);
    response.end(text);
  } else {
    response.writeHead(url.startsWith('/bad') ? 422 : 200, plain);
    response.end(text);
  }
}

async function start(isFast: boolean): Promise<{ server: Server; port: number; seen: Seen }> {
  const seen = { plain: 0, all: 0 };
  const server = createServer({ keepAliveTimeout: 72_000 }, listener(seen));
  if (isFast) addFastPath(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, seen };
}

interface Exchange {
  text: string;
  /** The server ended the connection; else it waits for more. */
  isClosed: boolean;
}

/**
 * Sends the parts one after the other, each as a packet of its own, and listens until the server ends the connection, or has said
 * as much as is expected and then nothing for a while. `awaitsFirst` sends nothing behind the first part before it is answered.
 */
async function exchange(
  port: number,
  parts: readonly (string | Buffer)[],
  expected?: Exchange,
  { awaitsFirst = false } = {},
): Promise<Exchange> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const received: Buffer[] = [];
  let bytes = 0;
  socket
    .on('error', () => undefined)
    .on('data', (data) => {
      received.push(data);
      bytes += data.length;
    });
  // Also where it is reset: a server that ends a connection does not read what came behind.
  const closed = new Promise<true>((resolve) => socket.on('close', () => resolve(true)));
  await once(socket, 'connect');
  for (const part of parts) {
    socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    await sleep(2);
    // A timer that is late comes before the server, in this process, has looked what arrived.
    await polled();
    if (awaitsFirst && bytes === 0) await once(socket, 'data');
  }
  let isClosed = false;
  for (let before = -1; !isClosed && (before < bytes || isAwaited(bytes, expected)); ) {
    before = bytes;
    isClosed = (await Promise.race([closed, sleep(SILENT_MS)])) === true;
  }
  socket.destroy();
  const text = Buffer.concat(received).toString('latin1');
  return { text: text.replace(/Date: [^\r]*/g, 'Date: now'), isClosed };
}

const isAwaited = (bytes: number, expected: Exchange | undefined): boolean =>
  expected !== undefined && (expected.isClosed || bytes < expected.text.length);

const post = (path: string, body: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

/** Headers beside the host. */
const manyLines = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: a\r\n`).join('');

const PLAIN: Record<string, string> = {
  'a body of JSON': post('/text', '{"amount":1}'),
  'a body and a query': post('/text?a=b%20c&d', '{}', 'Idempotency-Key: k\r\nX-Empty:\r\n'),
  'no body': get('/text', 'Cookie: a=1; b=2\r\nAccept: */*\r\n'),
  'a body of no length': post('/text', ''),
  'a POST without a length': 'POST /text HTTP/1.1\r\nHost: a\r\n\r\n',
  'a DELETE': 'DELETE /text/1 HTTP/1.1\r\nHost: a\r\nConnection: Keep-Alive\r\n\r\n',
  'blanks around a value': get('/text', 'X-Blank: \t a b \t \r\n'),
  'a refusal': post('/bad', '{}'),
  'a GET that names a type': get('/text', 'Content-Type: application/json\r\n'),
  'a hundred headers': get('/text', manyLines(99)),
  'an answer that takes a moment': post('/later', '{}'),
  'an answer in pieces': get('/stream'),
  'a large answer': get('/large'),
  'an answer without a body': post('/none', '{}'),
  'the last answer of its connection': get('/last-one'),
  'an answer with headers of its own': get('/set'),
  'an answer of bytes': get('/bytes'),
  'an answer of no stated length': get('/unsized'),
};

const ODD: Record<string, string> = {
  'a length and chunks': `POST /text HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  chunks: `POST /text HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  'chunks by another name': `POST /text HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  'two lengths': `POST /text HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`,
  'one length twice': `POST /text HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
  'a length with a sign': post('/text', '{}').replace('Content-Length: 2', 'Content-Length: +2'),
  'a length in hexadecimal': post('/text', '{}').replace('Content-Length: 2', 'Content-Length: 0x2'),
  'a length with zeros': post('/text', '{}').replace('Content-Length: 2', 'Content-Length: 002'),
  'a length of two parts': post('/text', '{}').replace('Content-Length: 2', 'Content-Length: 2, 2'),
  'a GET with a body': `GET /text HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  'a body of another type': `POST /text HTTP/1.1\r\nHost: a\r\nContent-Type: text/csv\r\nContent-Length: 2\r\n\r\nab`,
  'a body without a type': `POST /text HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab`,
  'a form without a body': `POST /text HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n`,
  'a form of no length': `POST /text HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 0\r\n\r\n`,
  'a type of JSON without a length': 'POST /text HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\r\n',
  'a body of 20 KB': post('/text', 'x'.repeat(20_000)),
  'a head of 10 KB': get('/text', `X-Long: ${'x'.repeat(10_000)}\r\n`),
  'a head of 40 KB': get('/text', `X-Long: ${'x'.repeat(40_000)}\r\n`),
  'no host': 'GET /text HTTP/1.1\r\n\r\n',
  'two hosts': get('/text', 'Host: b\r\n'),
  'more than a hundred headers': get('/text', manyLines(100)),
  'more headers than Node takes': get('/text', manyLines(1_001).replaceAll(' a', '').replaceAll('X-', '')),
  'a header of answers': get('/text', 'Set-Cookie: a=1\r\n'),
  'a header twice': get('/text', 'Accept: a\r\nAccept: b\r\n'),
  'a header named as what every object has': get('/text', '__proto__: a\r\nConstructor: b\r\n'),
  'a value over two lines': get('/text', 'X-Folded: a\r\n b\r\n'),
  'a line that ends without CR': get('/text', 'X-Bare: a\nX-Next: b\r\n'),
  'a CR in a value': get('/text', 'X-Bare: a\rb\r\n'),
  'a NUL in a value': get('/text', 'X-Nul: a\0b\r\n'),
  'a letter beyond ASCII': get('/text', 'X-Name: Ad\xe9\r\n'),
  'a blank before a colon': get('/text', 'X-Blank : a\r\n'),
  'a header without a name': get('/text', ': a\r\n'),
  'a header without a colon': get('/text', 'nothing\r\n'),
  'an empty line first': `\r\n${get('/text')}`,
  'HTTP/1.0': 'GET /text HTTP/1.0\r\nHost: a\r\n\r\n',
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'two blanks in the first line': 'GET  /text HTTP/1.1\r\nHost: a\r\n\r\n',
  'a method in lower case': 'get /text HTTP/1.1\r\nHost: a\r\n\r\n',
  'HEAD and OPTIONS': `HEAD /text HTTP/1.1\r\nHost: a\r\n\r\nOPTIONS /text HTTP/1.1\r\nHost: a\r\n\r\n`,
  'a whole address': 'GET http://a/text HTTP/1.1\r\nHost: a\r\n\r\n',
  'an address with a fragment': get('/text#top'),
  'an expectation': post('/text', '{}', 'Expect: 100-continue\r\n'),
  'an upgrade': get('/text', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'),
  'a connection that ends': get('/text', 'Connection: close\r\n'),
  'a connection that ends, by its old name': get('/text', 'Proxy-Connection: close\r\n'),
  'a connection that is kept, by its old name': get('/text', 'Proxy-Connection: keep-alive\r\n'),
  'no HTTP': '{"amount":1}\r\n\r\n',
};

let fast: Awaited<ReturnType<typeof start>>;
let nodes: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  [fast, nodes] = await Promise.all([start(true), start(false)]);
});
afterAll(() => {
  for (const { server } of [fast, nodes]) server.close();
});

/** What a client receives from both, for the same bytes in the same packets. */
async function exchangeWithBoth(parts: readonly (string | Buffer)[]) {
  const expected = await exchange(nodes.port, parts);
  const before = fast.seen.plain;
  const received = await exchange(fast.port, parts, expected);
  return { received, expected, plain: fast.seen.plain - before };
}

describe('a plain request is answered as Node answers it, without its parser', () => {
  it.for(Object.keys(PLAIN))('%s', async (name) => {
    const { received, expected, plain } = await exchangeWithBoth([PLAIN[name] as string, LAST]);
    expect(received).toEqual(expected);
    expect(plain).toBe(1);
    expect(received.text).toMatch(/^HTTP\/1\.1 [24]/);
  });
});

describe('what is no plain request goes to Node, with all its bytes', () => {
  it.for(Object.keys(ODD))('%s', async (name) => {
    const odd = ODD[name] as string;
    // Node refuses what comes behind the end of a connection, and answers nothing where it comes in the same moment.
    const last = name.startsWith('a connection that ends') ? [] : [LAST];
    const { received, expected, plain } = await exchangeWithBoth([odd, ...last]);
    expect(received).toEqual(expected);
    expect(plain).toBe(0);
    // Node loses the answer to what came in one packet with what it refuses.
    const before = PLAIN['a body of JSON'] as string;
    const behind = await exchange(nodes.port, [before, odd, ...last], undefined, { awaitsFirst: true });
    expect(await exchange(fast.port, [before + odd, ...last], behind)).toEqual(behind);
  });
});

describe('requests on one connection', () => {
  it('are answered in their order, however they are cut into packets', async () => {
    const all = Buffer.from(
      `${post('/later', '{"n":1}')}${get('/stream')}${post('/bad', '{"n":2}')}${get('/last-one')}`,
      'latin1',
    );
    for (let at = 1; at < all.length; at += 31) {
      const { received, expected } = await exchangeWithBoth([all.subarray(0, at), all.subarray(at)]);
      expect(received, `cut at ${at}`).toEqual(expected);
    }
  });

  it('may be a thousand that are sent at once', async () => {
    const { received, expected, plain } = await exchangeWithBoth([post('/text', '{}').repeat(1_000), LAST]);
    expect(received).toEqual(expected);
    expect(plain).toBe(1_000);
  });

  it.for([
    ['a stream', get('/large'), 50, 10],
    ['one text', post('/text', JSON.stringify('x'.repeat(16_000))), 3_000, 1_500],
  ] as const)(
    'are read no faster than their answers are: %s',
    { timeout: FULL_BUFFERS_MS },
    async ([, request, times, most]) => {
      const socket = connect({ port: fast.port, host: '127.0.0.1' });
      await once(socket, 'connect');
      socket.pause();
      const before = fast.seen.all;
      let ahead = 0;
      const measure = ({ socket: { bytesRead } }: IncomingMessage) => {
        ahead = Math.max(ahead, bytesRead - (fast.seen.all - before) * request.length);
      };
      fast.server.on('request', measure);
      for (let sent = 0; sent < times; sent += 1) socket.write(request);
      await sleep(500);
      expect(fast.seen.all - before).toBeLessThan(most);
      const received: Buffer[] = [];
      socket.on('data', (data) => received.push(data)).resume();
      socket.write(LAST);
      await once(socket, 'close');
      fast.server.off('request', measure);
      expect(ahead).toBeLessThan(MOST_AHEAD);
      expect(fast.seen.all - before).toBe(times + 1);
      expect(Buffer.concat(received).toString('latin1').split('HTTP/1.1 200 OK').length).toBe(times + 2);
    },
  );

  it.for(['a body of 20 KB', 'chunks', 'an address with a fragment'])(
    'are handed over while one before them is answered: %s',
    async (name) => {
      const odd = ODD[name] as string;
      const { received, expected, plain } = await exchangeWithBoth([get('/later'), get('/text'), odd, odd, LAST]);
      expect(received).toEqual(expected);
      expect(plain).toBe(2);
    },
  );

  it('have one answer: a second is refused', async () => {
    const { server, port } = await start(true);
    const refused = new Promise<unknown>((resolve) => {
      server.on('request', (_request, response: ServerResponse) => {
        response.on('finish', () => {
          try {
            response.writeHead(500, { 'content-length': '0' });
            resolve(undefined);
          } catch (error) {
            resolve((error as NodeJS.ErrnoException).code);
          }
        });
      });
    });
    await exchange(port, [get('/later'), LAST]);
    expect(await refused).toBe('ERR_HTTP_HEADERS_SENT');
    server.close();
  });

  it('are plain also where the body comes behind its head', async () => {
    const [head = '', body = ''] = post('/text', '{"amount":1}').split('\r\n\r\n');
    const { received, expected, plain } = await exchangeWithBoth([`${head}\r\n\r\n`, body, LAST]);
    expect(received).toEqual(expected);
    expect(plain).toBe(1);
  });

  it.for([
    ['in one packet with its bytes', 0],
    ['a moment later', 50],
  ] as const)('are refused as by Node where their client ends its side in the middle of one: %s', async ([, ms]) => {
    const half = post('/text', '{"amount":1}').slice(0, -5);
    const refuse = async (port: number) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.write(half);
      if (ms > 0) await sleep(ms);
      return textOf(socket.end());
    };
    const expected = await refuse(nodes.port);
    expect(expected).toMatch(/^HTTP\/1\.1 400 /);
    expect(await refuse(fast.port)).toBe(expected);
  });

  it('end with the one that is under way where the server closes', async () => {
    const { server, port } = await start(true);
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(get('/later'));
    const received = once(socket, 'data');
    await once(server, 'request');
    server.close();
    expect(String((await received)[0])).toContain('Connection: close');
    await once(socket, 'close');
  });

  it('are not begun behind the last answer of their connection', async () => {
    const { server, port, seen } = await start(true);
    server.prependListener('request', (request, response) => {
      // Came while the connection was being closed.
      response.on('close', () => request.socket.emit('data', Buffer.from(get('/text'))));
    });
    server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false;
    });
    await exchange(port, [get('/text')]);
    await exchange(port, [get('/text') + get('/text')]);
    expect(seen.all).toBe(2);
    server.close();
  });

  it('are told when their client goes away', async () => {
    const { server, port } = await start(true);
    const gone = new Promise<boolean>((resolve) => {
      server.prependListener('request', (request) => request.on('close', () => resolve(request.aborted)));
    });
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(get('/later'));
    await once(server, 'request');
    socket.destroy();
    expect(await gone).toBe(true);
    server.close();
  });

  it.each([true, false])(
    'have an end for who comes to them when their client has gone away (fast: %s)',
    async (isFast) => {
      const { server, port } = await start(isFast);
      server.removeAllListeners('request');
      let hasEnded = false;
      server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
        response.once('close', () => setImmediate(() => finished(response, () => (hasEnded = true))));
      });
      const socket = connect({ port, host: '127.0.0.1' });
      socket.write(get('/text'));
      await once(server, 'request');
      socket.destroy();
      await expect.poll(() => hasEnded).toBe(true);
      server.close();
    },
  );
});

describe('bytes that nobody would send', () => {
  const edits = fc.array(
    fc.record({
      at: fc.nat({ max: 160 }),
      cut: fc.nat({ max: 3 }),
      put: fc.constantFrom(
        '',
        '\r',
        '\n',
        '\r\n',
        ' ',
        '\t',
        ':',
        '\0',
        '\x80',
        '0',
        ',',
        'Content-Length: 3\r\n',
        '/',
      ),
    }),
    { minLength: 1, maxLength: 3 },
  );
  const request = fc.constantFrom(
    post('/text', '{"amount":1}', 'X-A: b\r\n'),
    get('/text', 'Accept: a\r\n'),
    ODD['chunks'] as string,
  );

  it('are answered as Node answers them', { timeout: 60_000 + RUNS * 2_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(request, edits), { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (cases) => {
          await Promise.all(
            cases.map(async ([plain, changes]) => {
              const bytes = changes.reduce(
                (text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut),
                plain,
              );
              // A line without a version is a whole request of HTTP 0.9 to Node: whether it answers that or refuses what
              // follows goes by which comes first.
              // The same of what follows a request of HTTP 1.0, which ends its connection.
              if (!/^[^\r\n]* HTTP\/(?!1\.0)/.test(bytes)) return;
              const { received, expected } = await exchangeWithBoth([bytes, LAST]);
              // Node loses the answer to what came in one packet with what it refuses.
              const isRefused = expected.text.startsWith('HTTP/1.1 400');
              const text = isRefused ? received.text.slice(-expected.text.length) : received.text;
              expect({ ...received, text }, JSON.stringify(bytes)).toEqual(expected);
            }),
          );
        },
      ),
      { numRuns: RUNS },
    );
  });
});
