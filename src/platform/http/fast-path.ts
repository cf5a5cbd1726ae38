import { type IncomingMessage, type OutgoingHttpHeaders, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type PlainHead, PlainRequest, readPlainHead, TOKEN, UNPRINTABLE } from './plain-request.ts';

/** The rest of a request follows its beginning at once; a client that takes longer is timed by Node. */
const REST_MS = 1_000;
/** Whoever takes nothing of an answer for so long is gone, or never wanted it. A phone in a tunnel is back sooner. */
export const STALLED_MS = 5 * 60_000;
/** A client may send its next request until the time that an answer names; the network takes a moment more. */
const GRACE_MS = 1_000;
/** Headers of an answer about which Node decides more than their value. */
const LEFT_TO_NODE = new Set(['connection', 'date', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade']);

export interface FastPath {
  /**
   * Of a request of this connection that has no answer yet, or only a part of one. Connections that Node reads are
   * unknown to it.
   */
  progressOf(connection: Socket): Progress | undefined;
  /** From now on connections may leave this process between two requests. */
  letLeave(how: Leaving): void;
}

export interface Leaving {
  /** Asked after each answer. */
  wants(connection: Socket): boolean;
  /** Nothing is under way on it here, and nothing of what comes next was read. Not called for each that was wanted. */
  take(connection: Socket): void;
}

/** Its rest is to come, or it is there and its answer is. */
type Progress = 'ARRIVING' | 'ANSWERING';

/**
 * Reads and answers plain requests without Node's parser and streams, which take a quarter or more of the processor
 * time of a small request. They reach the same listeners of `request`, hooks and routes, with the same types. A
 * connection with any other request is handed to Node with all its bytes, and stays there. Why this is safe is in
 * docs/decisions/plain-requests-have-a-path-of-their-own.md.
 */
export function addFastPath(server: Server): FastPath {
  const [nodesListener] = server.listeners('connection') as [(socket: Socket) => void];
  server.removeListener('connection', nodesListener);
  const progress = new WeakMap<Socket, Progress>();
  const handOver = (socket: Socket) => nodesListener.call(server, socket);
  const date = createDates();
  let leaving: Leaving | undefined;
  const leavingNow = () => leaving;
  server.on('connection', (socket: Socket) => {
    const connection = new PlainConnection({ server, socket, progress, handOver, date, leaving: leavingNow });
    connection.listen();
  });
  return {
    progressOf: (connection) => progress.get(connection),
    letLeave(how) {
      leaving = how;
    },
  };
}

/** Of a connection on which nothing went for long: what was written of its answer is still here. One that is being made takes its time. */
export function endIfStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

/** What a Date header says now, made once a second. */
function createDates(): () => string {
  let second = 0;
  let text = '';
  return () => {
    const now = Math.floor(Date.now() / 1_000);
    if (now !== second) {
      second = now;
      text = new Date(now * 1_000).toUTCString();
    }
    return text;
  };
}

interface ConnectionDeps {
  server: Server;
  socket: Socket;
  progress: WeakMap<Socket, Progress>;
  handOver(socket: Socket): void;
  date(): string;
  leaving(): Leaving | undefined;
}

/** Serves plain requests one after the other, in the order in which they came. */
class PlainConnection {
  readonly #deps: ConnectionDeps;
  /** The beginning of a request whose body has not arrived yet. */
  #begun: Buffer | undefined;
  /** What arrived before the last request was answered. */
  #next: Buffer | undefined;
  #request: PlainRequest | undefined;
  #response: PlainResponse | undefined;
  /** Node reads the connection, and all that follows on it. */
  #isNodes = false;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
  }

  listen(): void {
    const { socket } = this.#deps;
    this.#waitFor(this.#idleMs);
    socket.on('data', this.#onData).on('end', this.#onEnd).on('timeout', this.#onTimeout);
    socket.on('drain', this.#onDrain).on('close', this.#onClose).on('error', this.#onError);
  }

  get #idleMs(): number {
    return this.#deps.server.keepAliveTimeout + GRACE_MS;
  }

  #waitFor(ms: number): void {
    this.#deps.socket.setTimeout(ms);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#response === undefined && this.#next === undefined) {
      this.#take(chunk);
      return;
    }
    this.#next = this.#next === undefined ? chunk : Buffer.concat([this.#next, chunk]);
    this.#deps.socket.pause();
  };

  #take(chunk: Buffer): void {
    // After the last answer of a connection no request is begun: it could not be answered.
    if (!this.#deps.socket.writable) return;
    const begun = this.#begun;
    const bytes = begun === undefined ? chunk : Buffer.concat([begun, chunk]);
    this.#begun = undefined;
    const head = readPlainHead(bytes);
    const isWhole = head !== undefined && head.endAt <= bytes.length;
    if (head === undefined || (!isWhole && begun !== undefined)) {
      this.#handOver(bytes);
      return;
    }
    this.#deps.progress.set(this.#deps.socket, isWhole ? 'ANSWERING' : 'ARRIVING');
    if (!isWhole) {
      this.#begun = bytes;
      this.#waitFor(REST_MS);
      return;
    }
    if (begun !== undefined) this.#waitFor(this.#idleMs);
    if (head.endAt < bytes.length) this.#next = bytes.subarray(head.endAt);
    this.#serve(head, bytes);
  }

  #serve(head: PlainHead, bytes: Buffer): void {
    const { server, socket } = this.#deps;
    const body = head.endAt === head.bodyAt ? undefined : bytes.subarray(head.bodyAt, head.endAt);
    const request = new PlainRequest(head, socket, body);
    const asNodes = request as unknown as IncomingMessage;
    const response = new PlainResponse(asNodes, this);
    this.#request = request;
    this.#response = response;
    server.emit('request', asNodes, response);
  }

  /** Sends an answer as one text. @returns false, and does nothing, where Node has to decide how it is sent. */
  send(response: PlainResponse, headers: Readonly<Record<string, unknown>>, body: string): boolean {
    const { server, socket, date } = this.#deps;
    const lines = plainLines(headers);
    if (lines === undefined) return false;
    if (!server.listening) response.shouldKeepAlive = false;
    const { statusCode, shouldKeepAlive } = response;
    const timeout = Math.floor(server.keepAliveTimeout / 1_000);
    const connection = shouldKeepAlive ? `keep-alive\r\nKeep-Alive: timeout=${timeout}` : 'close';
    const head = `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines}Date: ${date()}\r\nConnection: ${connection}`;
    if (socket.writable) socket.write(`${head}\r\n\r\n${body}`);
    return true;
  }

  /** Node sends this answer: a stream, or one without a body. */
  sendByNode(response: PlainResponse): void {
    const { server, socket } = this.#deps;
    if (!server.listening) response.shouldKeepAlive = false;
    stateOf(response)._keepAliveTimeout = server.keepAliveTimeout;
    response.assignSocket(socket);
    this.#waitFor(STALLED_MS);
    response.once('finish', () => {
      response.detachSocket(socket);
      this.#waitFor(this.#idleMs);
      this.finish(response);
    });
  }

  /** An answer was sent: begins the next request, if there may be one. */
  finish(response: PlainResponse): void {
    const { server, socket, progress, leaving } = this.#deps;
    if (this.#response !== response) return;
    this.#request = undefined;
    this.#response = undefined;
    progress.delete(socket);
    if (!response.shouldKeepAlive || stateOf(response)._last || !server.listening) socket.destroySoon();
    // Until the client has read the answers.
    else if (socket.writableNeedDrain) socket.pause();
    else if (this.#next !== undefined) setImmediate(this.#goOn);
    // After whoever still reads of the request where it came from.
    else if (leaving()?.wants(socket)) setImmediate(this.#leave);
  }

  readonly #leave = (): void => {
    const { socket, leaving } = this.#deps;
    // Something may have come meanwhile.
    if (this.#isNodes) return;
    const isIdle = this.#response === undefined && this.#begun === undefined && this.#next === undefined;
    const isEmpty = socket.readableLength === 0 && socket.writableLength === 0;
    if (isIdle && isEmpty && !socket.readableEnded && socket.writable) leaving()?.take(socket);
  };

  readonly #goOn = (): void => {
    const { socket } = this.#deps;
    if (socket.destroyed || socket.writableNeedDrain || this.#response !== undefined) return;
    const next = this.#next;
    this.#next = undefined;
    if (next !== undefined) this.#take(next);
    // Only then: the bytes of a client that sends ahead would be read a packet for each answer, and all of them kept
    // here.
    if (this.#next === undefined) socket.resume();
  };

  readonly #onDrain = (): void => {
    // A stream that waits for its client waits for this event of its response.
    if (this.#response !== undefined) this.#response.emit('drain');
    else this.#goOn();
  };

  /** A client that ends its side has gone, as for Node, which refuses what it had begun. */
  readonly #onEnd = (): void => {
    const { socket, handOver } = this.#deps;
    const begun = this.#begun;
    if (begun === undefined) {
      socket.end();
      return;
    }
    this.#letGo();
    handOver(socket);
    // A stream that has ended takes nothing back: Node's listeners get what it read, and its end, once more.
    socket.emit('data', begun);
    socket.emit('end');
  };

  readonly #onTimeout = (): void => {
    const { socket } = this.#deps;
    if (this.#response !== undefined) endIfStalled(socket);
    else if (this.#begun === undefined) socket.destroy();
    else this.#handOver(this.#begun);
  };

  readonly #onClose = (): void => {
    const request = this.#request;
    const response = this.#response;
    if (request === undefined || response === undefined) return;
    request.aborted = true;
    request.destroyed = true;
    request.emit('close');
    response.destroyed = true;
    // Node ends what it sends.
    if (response.socket === null) noteClosed(response);
  };

  /** The socket closes by itself; there is nobody to answer. */
  readonly #onError = (): void => undefined;

  #handOver(bytes: Buffer): void {
    const { socket, handOver } = this.#deps;
    this.#letGo();
    socket.unshift(bytes);
    handOver(socket);
  }

  /** Nothing of this connection comes here any more. */
  #letGo(): void {
    const { socket, progress } = this.#deps;
    this.#isNodes = true;
    this.#waitFor(0);
    progress.delete(socket);
    socket.off('data', this.#onData).off('end', this.#onEnd).off('timeout', this.#onTimeout);
    socket.off('drain', this.#onDrain).off('close', this.#onClose).off('error', this.#onError);
  }
}

/** @returns undefined where a header does not belong to a plain answer with a body of a stated length. */
function plainLines(headers: Readonly<Record<string, unknown>>): string | undefined {
  if (headers['content-length'] === undefined) return undefined;
  let lines = '';
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value !== 'string' || LEFT_TO_NODE.has(name)) return undefined;
    if (!TOKEN.test(name) || UNPRINTABLE.test(value)) return undefined;
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** Where Node keeps how an answer is sent, and whether it was: all its methods read this. */
interface NodesState {
  _header: string;
  _keepAliveTimeout: number;
  /** Of its connection. */
  _last: boolean;
  /** Read by who comes to it later, and would wait for its end for ever. */
  _closed: boolean;
  finished: boolean;
}

const stateOf = (response: ServerResponse) => response as unknown as NodesState;

function noteClosed(response: ServerResponse): void {
  stateOf(response)._closed = true;
  response.emit('close');
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An answer of one text is sent as one; everything else is done by Node's own response. */
class PlainResponse extends ServerResponse {
  readonly #connection: PlainConnection;
  #headers: Readonly<Record<string, unknown>> | undefined;

  constructor(request: IncomingMessage, connection: PlainConnection) {
    super(request);
    this.#connection = connection;
  }

  override writeHead(statusCode: number, ...rest: unknown[]): this {
    const [headers] = rest;
    const isPlain = rest.length === 1 && isObject(headers);
    if (!isPlain || this.headersSent || this.socket !== null) {
      this.#switchToNode();
      return super.writeHead(statusCode, ...(rest as [OutgoingHttpHeaders]));
    }
    this.statusCode = statusCode;
    this.#headers = headers;
    return this;
  }

  override write(...given: unknown[]): boolean {
    this.#switchToNode();
    return super.write(...(given as [unknown]));
  }

  override end(...given: unknown[]): this {
    if (this.#isSent(given[0], given[1] ?? given[2])) return this;
    this.#switchToNode();
    return super.end(...(given as [unknown]));
  }

  override flushHeaders(): void {
    this.#switchToNode();
    super.flushHeaders();
  }

  #isSent(body: unknown, more: unknown): boolean {
    const headers = this.#headers;
    if (headers === undefined || this.socket !== null || typeof body !== 'string' || more != null) return false;
    if (this.statusCode < 200 || this.statusCode === 204 || this.statusCode === 304) return false;
    if (this.statusMessage !== undefined) return false;
    if (this.headersSent || this.getHeaderNames().length > 0) return false;
    if (!this.#connection.send(this, headers, body)) return false;
    const state = stateOf(this);
    state._header = 'sent';
    state.finished = true;
    this.emit('finish');
    this.#connection.finish(this);
    this.destroyed = true;
    noteClosed(this);
    return true;
  }

  #switchToNode(): void {
    if (this.socket !== null || this.headersSent) return;
    this.#connection.sendByNode(this);
    const headers = this.#headers;
    this.#headers = undefined;
    if (headers !== undefined) super.writeHead(this.statusCode, headers as never);
  }
}
