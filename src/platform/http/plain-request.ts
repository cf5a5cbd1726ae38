import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

/** A request whose bytes can be read in one way only. */
export interface PlainHead {
  readonly method: string;
  readonly url: string;
  /** By their names in lower case. */
  readonly headers: Record<string, string>;
  /** Where the body begins, and where the next request does: byte offsets. */
  readonly bodyAt: number;
  readonly endAt: number;
}

const MAX_HEAD_BYTES = 8 * 1024;
const MAX_BODY_BYTES = 16 * 1024;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const REQUEST_LINE = /^(GET|POST|PUT|PATCH|DELETE) (\/[!-"$-~]*) HTTP\/1\.1$/;
/** The name of a header, in lower case (RFC 9110, section 5.6.2). */
export const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/** Characters that the value of a plain header does not have. */
export const UNPRINTABLE = /[^\t -~]/;
const LENGTH = /^(?:0|[1-9]\d{0,4})$/;
/** Far more than clients and proxies send. Node refuses or leaves out what is beyond its own maximum. */
const MAX_HEADERS = 100;
/**
 * Headers that decide how the message or the connection continues: `proxy-connection` is `connection` to Node. And the
 * one whose value is a list to it, however often it is there.
 */
const LEFT_TO_NODE = new Set([
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Reads the head of a request that is as plain as nearly all are: HTTP/1.1 with a path, a host, each header once, in
 * printable ASCII, and at most a JSON body of a stated length (RFC 9112, sections 2 to 6). Nothing is corrected or
 * guessed.
 * @returns undefined for everything else, which Node's parser reads then, or refuses.
 */
export function readPlainHead(bytes: Buffer): PlainHead | undefined {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end === -1 || end > MAX_HEAD_BYTES) return undefined;
  const text = bytes.toString('latin1', 0, end);
  let lineEnd = text.indexOf('\r\n');
  const line = REQUEST_LINE.exec(lineEnd === -1 ? text : text.slice(0, lineEnd));
  if (line === null) return undefined;
  const headers: Record<string, string> = {};
  for (let count = 1; lineEnd !== -1; count += 1) {
    if (count > MAX_HEADERS) return undefined;
    const start = lineEnd + 2;
    lineEnd = text.indexOf('\r\n', start);
    if (!addHeader(headers, lineEnd === -1 ? text.slice(start) : text.slice(start, lineEnd))) return undefined;
  }
  const method = line[1] as string;
  const length = bodyLength(method, headers);
  if (length === undefined) return undefined;
  const bodyAt = end + END_OF_HEAD.length;
  return { method, url: line[2] as string, headers, bodyAt, endAt: bodyAt + length };
}

/** @returns false where the line is not a plain header. A name that every object has counts as one that was there. */
function addHeader(headers: Record<string, string>, line: string): boolean {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
  if (!TOKEN.test(name) || UNPRINTABLE.test(line) || headers[name] !== undefined) return false;
  const value = line.slice(colon + 1).trim();
  if (LEFT_TO_NODE.has(name) || (name === 'connection' && value.toLowerCase() !== 'keep-alive')) return false;
  headers[name] = value;
  return true;
}

/**
 * @returns undefined where a body is not a JSON text of a stated length, or the request names no host. What reads a type
 * other than JSON, or a body of which only the type is stated, reads a stream, also where no byte comes.
 */
function bodyLength(method: string, headers: Record<string, string>): number | undefined {
  const { host, 'content-length': stated, 'content-type': type } = headers;
  if (host === undefined || host === '') return undefined;
  if (type !== undefined && !type.startsWith('application/json')) return undefined;
  // The type that a GET names says nothing: no body of it is read.
  if (stated === undefined) return type === undefined || method === 'GET' ? 0 : undefined;
  if (!LENGTH.test(stated)) return undefined;
  const length = Number(stated);
  if (length === 0) return 0;
  const isTaken = method !== 'GET' && length <= MAX_BODY_BYTES && type !== undefined;
  return isTaken ? length : undefined;
}

/** The part of an `IncomingMessage` that listeners of `request` read. Its body has arrived before they are called. */
export class PlainRequest extends EventEmitter {
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly complete = true;
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly socket: Socket;
  aborted = false;
  destroyed = false;
  #body: Buffer | undefined;
  #isRead = false;

  constructor({ method, url, headers }: PlainHead, socket: Socket, body: Buffer | undefined) {
    super();
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.socket = socket;
    this.#body = body;
  }

  /** Data listeners get what arrives, as from a stream. */
  override on(event: string, listener: (...given: unknown[]) => void): this {
    if (event === 'data') process.nextTick(() => this.resume());
    return super.on(event, listener);
  }

  /** Emits the whole body and its end, once. */
  resume(): this {
    if (this.#isRead) return this;
    const body = this.take();
    if (body.length > 0) this.emit('data', body);
    this.emit('end');
    return this;
  }

  /** The whole body, in place of its events. */
  take(): Buffer {
    const body = this.#body ?? NO_BODY;
    this.#isRead = true;
    this.#body = undefined;
    return body;
  }
}

const NO_BODY = Buffer.alloc(0);

/** The body of a plain request that nobody has read yet; undefined where a stream has to be read. */
export const plainBodyOf = (request: unknown): Buffer | undefined =>
  request instanceof PlainRequest ? request.take() : undefined;
