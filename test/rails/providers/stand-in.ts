import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Breakage, FalseFacts, ProviderStage } from '../harness.ts';
import type { WalletStage } from '../wallet-harness.ts';

/** Calls of either role of an account at a provider. */
export type Stage = ProviderStage | WalletStage;

/** A request as the stand-in of a provider sees it. */
export interface Seen {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The text as it came: a parsed amount may have lost digits. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: providers take documents of every shape
  body: any;
}

export interface ProviderResponse {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** `no answer`: the connection stays open. */
export type Handled = ProviderResponse | 'no answer';

/** What is reported wrongly from now on; nothing where there is none. */
export function setFalseFacts(current: FalseFacts, next: FalseFacts = {}): Record<string, never> {
  for (const key of Object.keys(current) as (keyof FalseFacts)[]) delete current[key];
  Object.assign(current, next);
  return {};
}

export interface StandIn {
  baseUrl: string;
  requests: Seen[];
  breakNext(stage: Stage, how: Breakage, options?: { executed?: boolean }): void;
  /** Answers the next request of a stage with this, in place of what the provider would say. */
  answerNext(stage: Stage, response: ProviderResponse, options?: { executed?: boolean }): void;
  /** The next request of a stage gets no answer. */
  hangNext(stage: Stage): void;
  close(): Promise<void>;
}

interface Spoiled {
  how: Breakage | Handled;
  executed: boolean;
}

const ERROR = { status: false, message: 'Something went wrong' };

/** A local HTTP server in a provider's place. What it answers is `handle`'s business; how it misbehaves, this one's. */
export async function startStandIn(
  stageOf: (seen: Seen) => Stage | undefined,
  handle: (seen: Seen) => Handled | Promise<Handled>,
): Promise<StandIn> {
  const spoiled = new Map<Stage, Spoiled[]>();
  const requests: Seen[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await text(request);
    const url = new URL(request.url ?? '/', 'http://stand-in');
    const seen: Seen = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      text: sent,
      body: sent === '' ? undefined : parsed(sent),
    };
    requests.push(seen);
    const stage = stageOf(seen);
    const spoil = stage === undefined ? undefined : spoiled.get(stage)?.shift();
    const handled = spoil === undefined || spoil.executed ? await handle(seen) : 'no answer';
    if (spoil === undefined) {
      if (handled !== 'no answer') respond(response, handled);
    } else if (spoil.how === 'no answer') return;
    else if (typeof spoil.how === 'string') misbehave(response, spoil.how);
    else respond(response, spoil.how);
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const spoilNext = (stage: Stage, how: Breakage | Handled, executed: boolean | undefined) => {
    const queue = spoiled.get(stage) ?? [];
    queue.push({ how, executed: executed === true });
    spoiled.set(stage, queue);
  };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    breakNext: (stage, how, options) => spoilNext(stage, how, options?.executed),
    answerNext: (stage, response, options) => spoilNext(stage, response, options?.executed),
    hangNext: (stage) => spoilNext(stage, 'no answer', false),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(response: ServerResponse, { status, body, headers }: ProviderResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>';

const SPOILT: Record<Exclude<Breakage, 'reset'>, ProviderResponse> = {
  'http-500': { status: 500, body: { ...ERROR, message: 'Internal server error' } },
  'http-502-html': { status: 502, body: HTML, headers: { 'content-type': 'text/html' } },
  'truncated-json': { status: 200, body: '{"status":true,"message":"Transfer has been queued","data":{"sta' },
  empty: { status: 200, body: '' },
  'not-json': { status: 200, body: 'OK', headers: { 'content-type': 'text/plain' } },
  'error-in-200': { status: 200, body: ERROR },
  'rate-limited': { status: 429, body: ERROR, headers: { 'retry-after': '30' } },
  unauthorized: { status: 401, body: { ...ERROR, message: 'Invalid key' } },
  redirect: { status: 302, body: '', headers: { location: '/elsewhere' } },
};

function misbehave(response: ServerResponse, how: Breakage): void {
  if (how === 'reset') response.socket?.resetAndDestroy();
  else respond(response, SPOILT[how]);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
