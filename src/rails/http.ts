import { Pool } from 'undici/index.js';
import { baseUrlInvalid } from './errors.ts';
import { NotSentError } from './port.ts';
import { readJson } from './provider-answers.ts';

/** An answer about one transfer has a few kilobytes; what is longer is not read to its end. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Shorter than any call's own timeout, so that "never connected" is known as what it is. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Idle connections are let go before the load balancers of providers do it: a reset costs an unknown outcome. */
const KEEP_ALIVE_MS = 10_000;

interface ProviderHttpOptions {
  /** https, or http on this machine; a path in it stands before every request's. */
  baseUrl: string;
  /** Sent with every request, for example the key. Never logged. */
  headers?: Record<string, string>;
  maxBodyBytes?: number;
}

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with a slash; the caller encodes the values that it puts into it. */
  path: string;
  query?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Of the answer, where it may be longer than one about a single transfer. */
  maxBodyBytes?: number;
  signal: AbortSignal;
}

export interface ProviderAnswer {
  status: number;
  /** Names in lower case; the last of several values. */
  headers: Record<string, string>;
  /** Parsed JSON; `undefined` for anything else: no body, HTML, half a document, too long. */
  body: unknown;
}

export interface ProviderHttp {
  /**
   * One request on a kept-alive connection. Nothing is repeated and no redirect is followed: a second send is decided
   * elsewhere.
   * @throws NotSentError where no connection came about, so that no byte of the request left; any other error (also of
   *   the signal) where it may have arrived.
   */
  request(request: ProviderRequest): Promise<ProviderAnswer>;
  close(): Promise<void>;
}

/** Calls to one provider's API. @throws AppError `RAIL_BASE_URL_INVALID` */
export function createProviderHttp(options: ProviderHttpOptions): ProviderHttp {
  const base = checkBaseUrl(options.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  // HTTP/1.1 only: there a request that was written is never moved to another connection by the client itself.
  const pool = new Pool(base.origin, {
    allowH2: false,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
  });

  async function request(given: ProviderRequest): Promise<ProviderAnswer> {
    const { statusCode, headers, body } = await pool
      .request({
        method: given.method,
        path: `${prefix}${given.path}${queryText(given.query)}`,
        headers: {
          accept: 'application/json',
          'user-agent': 'manilla',
          ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
          ...given.headers,
        },
        ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
        signal: given.signal,
      })
      .catch((error: unknown) => {
        if (!isConnectFailure(error)) throw error;
        throw new NotSentError('No connection to the rail came about', { reason: 'RAIL_UNREACHABLE', cause: error });
      });
    const bytes = await readBody(body, given.maxBodyBytes ?? maxBodyBytes);
    return { status: statusCode, headers: plainHeaders(headers), body: bytes && readJson(bytes) };
  }

  return { request, close: () => pool.destroy() };
}

/** An address that a provider gave carries no more than this: it is signed, and somebody may have made it long. */
const MAX_UPLOAD_ADDRESS = 4_000;

/**
 * Puts a file where a provider said that it goes. Nothing of ours but the file is sent there, and the answer is not read.
 * @returns the HTTP status
 * @throws NotSentError where the address is none that anything is sent to
 */
export async function uploadTo(
  address: string,
  { contentType, content }: { contentType: string; content: Buffer },
  signal: AbortSignal,
): Promise<number> {
  const url = address.length <= MAX_UPLOAD_ADDRESS && URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === undefined || !isSafe) {
    throw new NotSentError('The provider gave no address for a file', {
      reason: 'UPLOAD_ADDRESS_INVALID',
      answered: true,
    });
  }
  const pool = new Pool(url.origin, { allowH2: false, connect: { timeout: CONNECT_TIMEOUT_MS } });
  try {
    const { statusCode, body } = await pool.request({
      method: 'PUT',
      path: `${url.pathname}${url.search}`,
      headers: { 'content-type': contentType, 'user-agent': 'manilla' },
      body: content,
      signal,
    });
    await body.dump();
    return statusCode;
  } finally {
    await pool.destroy();
  }
}

/** In clear only to this machine: elsewhere the key and the beneficiary would be for anyone on the way to read. */
function checkBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === undefined || !isSafe) throw baseUrlInvalid('it must begin with https:// (http:// only on this machine)');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw baseUrlInvalid('it must have no user name, password, query or fragment');
  }
  return url;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function queryText(query: Record<string, string> | undefined): string {
  return query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
}

const CONNECTING: ReadonlySet<string> = new Set(['connect', 'getaddrinfo']);

/** True only for errors of making a connection: TCP, its timeout, or the name that nobody knows. */
function isConnectFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isConnectFailure);
  const { code, syscall } = error as Error & { code?: string; syscall?: string };
  return code === 'UND_ERR_CONNECT_TIMEOUT' || (syscall !== undefined && CONNECTING.has(syscall));
}

/** The body's bytes, or undefined where it has more than `limit`: then the connection is closed. */
async function readBody(
  body: AsyncIterable<Buffer> & { destroy(): unknown },
  limit: number,
): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    // Leaving the loop destroys the stream.
    if (length > limit) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) plain[name] = last;
  }
  return plain;
}
