import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProviderHttp, type ProviderHttp } from '../../src/rails/http.ts';
import { NotSentError } from '../../src/rails/index.ts';

const SIGNAL = new AbortController().signal;
const LIMIT = 1_000;

let server: Server;
let http: ProviderHttp;
const sockets = new Set<Socket>();
let asked: { url: string; headers: Record<string, unknown>; body: string }[] = [];
let respond: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    sockets.add(request.socket);
    void text(request).then((body) => {
      asked.push({ url: request.url ?? '', headers: request.headers, body });
      respond(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
  http = createProviderHttp({ baseUrl, headers: { authorization: 'Bearer key' }, maxBodyBytes: LIMIT });
});
afterAll(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function get(status: number, body: string, headers: Record<string, string> = {}) {
  asked = [];
  respond = (response) => response.writeHead(status, headers).end(body);
  return http.request({ method: 'GET', path: '/thing', signal: SIGNAL });
}

describe('calls to a provider', () => {
  it('carry the base path, the query, the headers and the body as JSON, on a connection that is kept', async () => {
    asked = [];
    sockets.clear();
    respond = (response) => response.end('{"ok":true}');
    const request = {
      method: 'POST' as const,
      path: '/thing',
      query: { name: 'Ada & Co', 'a b': '1' },
      body: { amount: 5 },
      headers: { 'x-more': 'yes' },
      signal: SIGNAL,
    };
    expect(await http.request(request)).toMatchObject({ status: 200, body: { ok: true } });
    for (let more = 0; more < 9; more += 1) await http.request(request);
    expect(asked).toHaveLength(10);
    expect(asked[0]).toMatchObject({
      url: '/api/thing?name=Ada+%26+Co&a+b=1',
      headers: { authorization: 'Bearer key', 'x-more': 'yes', 'content-type': 'application/json' },
      body: '{"amount":5}',
    });
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it.each([
    ['nothing', ''],
    ['HTML', '<html></html>'],
    ['half a document', '{"status":tr'],
    ['more than the limit', JSON.stringify('x'.repeat(LIMIT))],
  ])('give no body for %s, and the status all the same', async (_what, text) => {
    expect(await get(502, text)).toMatchObject({ status: 502, body: undefined });
  });

  it('give a body of exactly the limit', async () => {
    const text = JSON.stringify('x'.repeat(LIMIT - 2));
    expect((await get(200, text)).body).toBe('x'.repeat(LIMIT - 2));
  });

  it('follow no redirect', async () => {
    expect(await get(307, '', { location: '/elsewhere' })).toMatchObject({ status: 307 });
    expect(asked).toHaveLength(1);
  });

  it('say for certain that nothing was sent only where no connection came about', async () => {
    for (const baseUrl of ['http://127.0.0.1:9', 'http://localhost:9', 'https://no-such-host.invalid']) {
      const closed = createProviderHttp({ baseUrl });
      const calling = closed.request({ method: 'POST', path: '/', body: {}, signal: SIGNAL });
      await expect(calling).rejects.toBeInstanceOf(NotSentError);
      await closed.close();
    }
  });

  it.each([
    ['the connection was reset after the request', (response: ServerResponse) => response.socket?.resetAndDestroy()],
    [
      'the answer broke off',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"a"');
        setTimeout(() => response.socket?.destroy(), 20);
      },
    ],
  ])('throw, and not that nothing was sent, where %s', async (_what, how) => {
    respond = how;
    const calling = http.request({ method: 'POST', path: '/', body: {}, signal: SIGNAL });
    const error = await calling.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(NotSentError);
  });

  it('end with their signal, and do not begin where it has ended before', async () => {
    asked = [];
    respond = () => undefined;
    const calling = http.request({ method: 'GET', path: '/', signal: AbortSignal.timeout(50) });
    await expect(calling).rejects.toThrow();
    expect(asked).toHaveLength(1);
    await expect(http.request({ method: 'GET', path: '/', signal: AbortSignal.abort() })).rejects.toThrow();
    expect(asked).toHaveLength(1);
  });

  it.each([
    'http://api.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'ftp://127.0.0.1',
    'https://key@api.example.com',
    'https://api.example.com/?x=1',
    'api.example.com',
    '',
  ])('go to no address such as "%s"', (baseUrl) => {
    expect(() => createProviderHttp({ baseUrl })).toThrow(expect.objectContaining({ code: 'RAIL_BASE_URL_INVALID' }));
  });

  it.each(['https://api.example.com', 'http://127.0.0.1:4000', 'http://[::1]:4000', 'http://localhost'])(
    'may go to %s',
    async (baseUrl) => {
      await createProviderHttp({ baseUrl }).close();
    },
  );
});
