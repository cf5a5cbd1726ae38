import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici/index.js';
import {
  type AddressRules,
  addressFault,
  type ConnectOptions,
  type Dial,
  ForbiddenAddressError,
  guardedConnect,
  reachesLoopback,
} from './guarded-connect.ts';

/** Limit for a whole call, from the look-up of the name to the end of the answer. */
const CALL_TIMEOUT_MS = 15_000;
/** No more of an answer is read than this: its status alone counts. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** So much of an answer is kept, to find the reason of a failure. */
const KEPT_ANSWER_BYTES = 2 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** A call reads no more than this of its connection: there are other ways to send without end than a body and headers. */
const MAX_READ_BYTES = MAX_ANSWER_BYTES + MAX_HEADER_BYTES;
/** Answers of 1xx before the one that counts. */
const MAX_INTERIM = 16;
/** Limit for the rest of an answer behind its headers. The status is known by then, and the next call waits. */
const REST_TIMEOUT_MS = 1_000;
/** This is shorter than the time for which web servers commonly allow an idle connection. */
const KEEP_ALIVE_MS = 4_000;

export const GONE = 410;

export interface ConnectionOptions extends Omit<ConnectOptions, 'allowLoopback'>, AddressRules {
  timeoutMs?: number;
}

export interface CallResult {
  durationMs: number;
  /** Null where no answer came. */
  statusCode: number | null;
  /** The beginning of the answer's body, as text. */
  answer: string | null;
  /** Why the call does not count as delivered, in words for people. Null when it does. */
  error: string | null;
}

/** A connection to the address of one receiver. It stays open as long as there are calls to make. */
export interface Connection {
  /**
   * Makes one call. Never throws: every failure is in the result. Undefined when the connection was closed during the
   * call.
   */
  post(body: string, headers: Record<string, string>): Promise<CallResult | undefined>;
  /** Closes the connection. A call under way ends without a result. */
  close(): void;
}

/** @param url as the merchant gave it. Where it may not be called, the result of every call says why. */
export function openConnection(url: string, options: ConnectionOptions): Connection {
  const fault = addressFault(url, options);
  if (fault !== undefined) {
    const refused = { durationMs: 0, statusCode: null, answer: null, error: `The address ${fault}.` };
    return { post: async () => refused, close: () => undefined };
  }
  const { origin, pathname, search } = new URL(url);
  const { timeoutMs = CALL_TIMEOUT_MS } = options;
  let connects = 0;
  const connect = guardedConnect({ ...options, allowLoopback: reachesLoopback(options) });
  let socket: Socket | undefined;
  /** Where in what the socket reads it is closed. */
  let readUpTo = 0;
  let asking: Call | undefined;

  const connectWatched: Dial = (given, callback) => {
    connects += 1;
    connect(given, (...outcome) => {
      callback(...outcome);
      const [, opened] = outcome;
      if (opened === null) return;
      socket = opened;
      readUpTo = opened.bytesRead + MAX_READ_BYTES;
      // Behind undici's own listener: what was read is parsed by now.
      opened.on('readable', () => {
        if (opened.bytesRead > readUpTo) opened.destroy(TOO_LONG);
        else asking?.limitRest();
      });
    });
  };

  const client = new Client(origin, {
    connect: connectWatched,
    pipelining: 1,
    // There is one time limit for the whole call instead, below.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  const path = `${pathname}${search}`;
  let closed = false;
  /** One for all calls, started anew by each. Where it fires between calls, nothing happens. */
  let timer: NodeJS.Timeout | undefined;

  function limitCall(): void {
    if (timer === undefined) timer = setTimeout(() => asking?.abandon(), timeoutMs).unref();
    else timer.refresh();
  }

  function ask(body: string, headers: Record<string, string>): Call {
    const asked = new Call();
    asking = asked;
    if (socket !== undefined) readUpTo = socket.bytesRead + MAX_READ_BYTES;
    client.dispatch({ method: 'POST', path, headers, body }, asked);
    return asked;
  }

  async function call(body: string, headers: Record<string, string>): Promise<Answered | Failed> {
    const before = connects;
    limitCall();
    const outcome = await ask(body, headers).outcome;
    // The receiver closed an idle connection while the call was on its way. That is no fault of the receiver.
    const isStale = before > 0 && connects === before && 'failure' in outcome && isCut(outcome.failure);
    return isStale ? ask(body, headers).outcome : outcome;
  }

  return {
    async post(body, headers) {
      const begun = performance.now();
      const outcome = await call(body, headers);
      const durationMs = Math.round(performance.now() - begun);
      if ('statusCode' in outcome) {
        const { statusCode, answer } = outcome;
        return { durationMs, statusCode, answer, error: faultOfStatus(statusCode) };
      }
      if (closed) return undefined;
      const { failure } = outcome;
      const error = failure === TIME_IS_UP ? `No answer within ${timeoutMs / 1000} seconds.` : wordsFor(failure);
      return { durationMs, statusCode: null, answer: null, error };
    },
    close() {
      closed = true;
      void client.destroy().catch(() => undefined);
    },
  };
}

interface Answered {
  statusCode: number;
  /** The beginning of the body. */
  answer: string;
}

interface Failed {
  failure: unknown;
}

const TIME_IS_UP = new Error('the time for a call is up');

/** An answer is none that we take. The message is for people. */
class AnswerFault extends Error {}

const TOO_LONG = new AnswerFault('The receiver sent more than is read of an answer.');
const TOO_MANY_INTERIM = new AnswerFault(`The receiver sent more than ${MAX_INTERIM} answers of 1xx and no other.`);
const NOT_HTTP = new AnswerFault('The answer is not valid HTTP.');
const UNASKED_UPGRADE = new AnswerFault('The receiver sent 101 Switching Protocols, which it was not asked for.');
/** Where undici ends the connection with these messages during a call, the receiver did this. */
const UNASKED: Readonly<Record<string, AnswerFault>> = {
  'bad response': new AnswerFault('The receiver sent 100 Continue, which it was not asked for.'),
  'bad upgrade': UNASKED_UPGRADE,
};

/**
 * One call, as undici tells about it: without a stream of the body, which would cost more than the call itself. A status
 * that arrived counts even where the body never ends or breaks off.
 */
class Call implements Dispatcher.DispatchHandler {
  readonly #outcome = Promise.withResolvers<Answered | Failed>();
  readonly #pieces: Buffer[] = [];
  #length = 0;
  #interim = 0;
  #statusCode: number | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  /** Undefined until there is a connection and the call is its turn. */
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;

  /** Never rejects. */
  get outcome(): Promise<Answered | Failed> {
    return this.#outcome.promise;
  }

  /** The time is up: ends the call, and its connection with it. Nothing happens where the call is over. */
  abandon(): void {
    if (!this.#isOver) this.#end(TIME_IS_UP);
  }

  /** Something was read. An answer that has begun and goes on has a limit of its own from now on. */
  limitRest(): void {
    if (this.#statusCode === undefined || this.#isOver || this.#restTimer !== undefined) return;
    this.#restTimer = setTimeout(() => this.abandon(), REST_TIMEOUT_MS);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The connection came too late for this call. Thrown, this fails the call alone; to abort it would close the
    // connection, which the next call waits for.
    if (this.#isOver) throw TIME_IS_UP;
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    if (statusCode >= 200) {
      this.#statusCode = statusCode;
      return;
    }
    // 1xx says that the answer is still to come.
    this.#interim += 1;
    if (statusCode < 100) this.#end(NOT_HTTP);
    else if (statusCode === 101) this.#end(UNASKED_UPGRADE);
    else if (this.#interim > MAX_INTERIM) this.#end(TOO_MANY_INTERIM);
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#length < KEPT_ANSWER_BYTES) this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > MAX_ANSWER_BYTES) this.#end(TOO_LONG);
  }

  onResponseEnd(): void {
    this.#settle(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle(UNASKED[error.message] ?? error);
  }

  #end(reason: Error): void {
    this.#settle(reason);
    this.#controller?.abort(reason);
  }

  #settle(failure: unknown): void {
    this.#isOver = true;
    clearTimeout(this.#restTimer);
    const statusCode = this.#statusCode;
    if (statusCode === undefined) this.#outcome.resolve({ failure });
    else this.#outcome.resolve({ statusCode, answer: keepable(this.#pieces) });
  }
}

/** Text that PostgreSQL can store: without NUL, and without a character that the limit cut in two. */
function keepable(pieces: readonly Buffer[]): string {
  // What most receivers answer.
  if (pieces.length === 0) return '';
  const bytes = Buffer.concat(pieces).subarray(0, KEPT_ANSWER_BYTES);
  const text = bytes.toString('utf8').replaceAll('\0', '\u{fffd}');
  return bytes.length === KEPT_ANSWER_BYTES ? text.replace(/(?<!\u{fffd})\u{fffd}+$/u, '') : text;
}

function faultOfStatus(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400) return `The receiver answered ${statusCode}; redirects are not followed.`;
  if (statusCode === GONE) return 'The receiver answered 410: it wants no more events.';
  return `The receiver answered ${statusCode}.`;
}

const CUT = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

function isCut(error: unknown): boolean {
  return CUT.has(codeOf(error));
}

function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } };
  return code ?? cause?.code ?? '';
}

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name does not exist.',
  ENODATA: 'The host name has no IP address.',
  ETIMEOUT: 'The host name could not be looked up in time.',
  ESERVFAIL: 'The host name could not be looked up.',
  ECONNREFUSED: 'The connection was refused.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  ETIMEDOUT: 'No connection came about in time.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection came about in time.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
};

function wordsFor(error: unknown): string {
  if (error instanceof AnswerFault) return error.message;
  if (error instanceof ForbiddenAddressError) return 'The address leads to a private or reserved network.';
  const code = codeOf(error);
  const known = WORDS[code];
  if (known !== undefined) return known;
  if (isCut(error)) return 'The connection was closed before an answer came.';
  if (/CERT|SELF_SIGNED|ISSUER|TLS|SSL/.test(code)) return `The certificate or TLS was not accepted (${code}).`;
  if (error instanceof Error && error.name === 'HTTPParserError') return NOT_HTTP.message;
  return code === '' ? 'The call failed.' : `The call failed (${code}).`;
}

/** So many calls are made at the same time to an address that its merchant marks as unordered. */
export const CALLS_AT_ONCE = 8;

/** The connections to one address. Each makes one call at a time. */
export interface Connections {
  readonly each: readonly Connection[];
  /** Closes them. Calls under way end without a result. */
  close(): void;
}

export function openConnections(
  url: string,
  { ordered, ...options }: ConnectionOptions & { ordered: boolean },
): Connections {
  const each = Array.from({ length: ordered ? 1 : CALLS_AT_ONCE }, () => openConnection(url, options));
  return {
    each,
    close() {
      for (const connection of each) connection.close();
    },
  };
}

/**
 * Runs `work` over the items, one at a time on each connection, and begins them in their order. No further item begins
 * once `work` says so.
 * @returns the results up to the first item that has none: a caller that goes on behind them leaves nothing out
 */
export async function overConnections<Item, Result>(
  connections: Connections,
  items: readonly Item[],
  work: (connection: Connection, item: Item) => Promise<{ result: Result | undefined; goesOn: boolean }>,
): Promise<{ results: Result[]; goesOn: boolean }> {
  const results: (Result | undefined)[] = [];
  let begun = 0;
  let goesOn = true;
  await Promise.all(
    connections.each.map(async (connection) => {
      while (goesOn && begun < items.length) {
        const at = begun;
        begun += 1;
        const done = await work(connection, items[at] as Item);
        results[at] = done.result;
        goesOn &&= done.goesOn;
      }
    }),
  );
  const end = Array.from(results).indexOf(undefined);
  return { results: (end === -1 ? results : results.slice(0, end)) as Result[], goesOn };
}
