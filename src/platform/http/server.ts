import type { Socket } from 'node:net';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { type Answer, failure, failureBody, type Refusal } from '../answer.ts';
import { boundedLinesByName } from '../bounded-lines.ts';
import { CommitUnknownError } from '../db/database.ts';
import { AppError, outOfResources } from '../errors.ts';
import { requestIds } from '../ids.ts';
import type { Logger } from '../logger.ts';
import { type HostCheck, withoutPorts } from './allowed-hosts.ts';
import {
  connectionsOf,
  endStalled,
  type Moving,
  moveConnections,
  sayFarewell,
  surviveRefusedConnections,
} from './connections.ts';
import { acceptJson } from './json-body.ts';
import { refuseWhenLate } from './overload.ts';
import { requireHeadersOnce } from './repeated-headers.ts';
import { type RequestLimits, showUsage } from './request-limits.ts';
import { compileValidator } from './validation.ts';

const METHODS: readonly HTTPMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface Addresses {
  /** The methods of the path of a request, in the order above; none where there is no such address. */
  methodsOf(url: string): readonly string[];
  /**
   * Whether the path is written out in other routes and only fits the placeholders of this one: `GET /store/debit` of
   * `/store/:id`.
   */
  isOfOthers(url: string, route: string | undefined): boolean;
}

/**
 * Which methods an address takes, for the refusal of a request with another: the same router as the server's, over the
 * same routes. A path that a route writes out is that route's alone, also for the methods that it does not have
 * (OpenAPI 3.1, Paths Object: concrete paths come before templated ones). Call it before the first route is added.
 */
function collectAddresses(app: FastifyInstance): Addresses {
  const all: { method: HTTPMethod; url: string }[] = [];
  const writtenOut = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ method, url }) => {
    const methods = [method].flat() as HTTPMethod[];
    for (const each of methods) all.push({ method: each, url });
    if (!/[:*]/.test(url)) writtenOut.set(url, new Set([...(writtenOut.get(url) ?? []), ...methods]));
  });
  // For the first request that is refused: it takes a tenth of a start.
  let router: Router | undefined;
  const routerOf = () => {
    router ??= makeRouter(all);
    return router;
  };
  const writtenOutAt = (url: string) => writtenOut.get(pathOf(url).replace(/(?<=.)\/$/, ''));
  return {
    methodsOf: (url) => {
      const own = writtenOutAt(url);
      const known = routerOf();
      return METHODS.filter((method) => own?.has(method) ?? known.find(method, pathOf(url)) !== null);
    },
    isOfOthers: (url, route) => route?.includes('/:') === true && writtenOutAt(url) !== undefined,
  };
}

function makeRouter(routes: readonly { method: HTTPMethod; url: string }[]): Router {
  const router = findMyWay({ ignoreTrailingSlash: true });
  for (const { method, url } of routes) if (!router.hasRoute(method, url)) router.on(method, url, () => undefined);
  return router;
}

type Router = ReturnType<typeof findMyWay>;

const pathOf = (url: string): string => url.split('?', 1)[0] as string;

/**
 * Enough for almost every operation, in any encoding, including metadata of 8 KB. A route that needs more sets
 * `bodyLimit`. One thread serves all, so one caller may make it read only little.
 */
const MAX_BODY_BYTES = 16 * 1024;
/**
 * The `bodyLimit` of a route with long texts or lists: room for each field at the length that its schema allows, with every
 * character escaped.
 */
export const MAX_LONG_BODY_BYTES = 64 * 1024;
/** A client that takes longer for its request is cut off: a file of 50 MB at 4 Mbit/s takes less. */
const REQUEST_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** The security headers of every answer. An API answer is never a page, so it may load nothing. */
const SECURITY_HEADERS = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
} as const;

/** As long as Node allows a request line: the schemas limit each parameter, with a sentence. */
const MAX_PARAM_LENGTH = 16 * 1024;

interface ServerOptions {
  logger: Logger;
  /** Addresses or CIDR ranges whose X-Forwarded-For is believed; none by default. */
  trustedProxies: readonly string[];
  /** Left out: nobody is counted. */
  limits?: RequestLimits;
  /** Left out: every host name is accepted. */
  hosts?: HostCheck;
  /**
   * In milliseconds: where it is later than this, a process is too busy to promise an answer, and refuses rather than
   * letting everyone time out. Left out: it never refuses.
   */
  overloadDelayMs?: number;
}

export type ApiServer = FastifyInstance;

declare module 'fastify' {
  interface FastifyRequest {
    /** What its route says of itself: read once, since Fastify makes it anew each time that it is asked for. */
    route: FastifyRequest['routeOptions'];
  }
}

/**
 * A Fastify server as every part of the service needs it: strict input, one form of error, a request id and security
 * headers.
 */
export async function createServer(options: ServerOptions): Promise<ApiServer> {
  const { logger, trustedProxies, limits, hosts, overloadDelayMs = 0 } = options;
  const newRequestId = requestIds();
  const answerError = createErrorAnswers();
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    genReqId: newRequestId,
    // One logger for all: lines have the request id where they need it.
    childLoggerFactory: (parent) => parent,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    // Otherwise `close` alone waits for ten seconds, and cuts the requests that are still being answered.
    pluginTimeout: 0,
    // A request on an open connection is served, also while the others are being answered.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      void answerError(error, request, introduce(request, reply));
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, newRequestId()),
  }) as unknown as FastifyInstance;
  app.setValidatorCompiler(compileValidator);
  // Handlers return finished text; the schemas of the answers are documentation, and tests compare answers with them.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  const addresses = collectAddresses(app);
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    limits?.countStranger(request);
    refuseAddress(request, reply, addresses.methodsOf(request.url));
  };
  app.decorateRequest('route', null as unknown as FastifyRequest['routeOptions']);
  app.addHook('onRequest', (request, reply, done) => {
    request.route = request.routeOptions;
    const { 'x-forwarded-for': forwardedFor } = request.raw.headers;
    if (typeof forwardedFor === 'string') request.raw.headers['x-forwarded-for'] = withoutPorts(forwardedFor);
    introduce(request, reply);
    try {
      requireHeadersOnce(request);
      hosts?.(request);
    } catch (error) {
      throw limits === undefined ? error : limits.countRefusal(request, error);
    }
    if (request.url.includes('%00')) throw nulInAddress();
    // A request to an unknown address is refused before its body is read.
    if (request.is404 || addresses.isOfOthers(request.url, request.route.url)) {
      refuse(request, reply);
      return;
    }
    if (request.route.config.isFile === true) limits?.countFile(request);
    done();
  });
  surviveRefusedConnections(app, logger);
  endStalled(app);
  const connections = connectionsOf(app);
  app.addHook('preClose', () => sayFarewell(app, connections));
  app.decorate('letConnectionsMove', (moving: Moving) => moveConnections(app, connections, moving));
  app.decorate('endConnections', () => {
    for (const connection of connections.open) connection.destroy();
  });
  showUsage(app);
  acceptJson(app);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(refuse);
  if (overloadDelayMs > 0) refuseWhenLate(app, overloadDelayMs);
  return app;
}

/** Sets the headers of every answer. */
function introduce(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
}

const nulInAddress = () =>
  new AppError('invalid', 'NUL_CHARACTER', 'The address holds a NUL character, which nothing in it may contain.');

/** Bytes that are not HTTP never become a request; they get an answer in the same form, written by hand. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, message } = BROKEN_REQUESTS[error.code ?? ''] ?? NOT_HTTP;
  const body = failureBody({ code, message, errors: undefined }, requestId);
  const headers = {
    ...SECURITY_HEADERS,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}

const NOT_HTTP = { status: '400 Bad Request', code: 'REQUEST_MALFORMED', message: 'This is not a valid HTTP request.' };
const BROKEN_REQUESTS: Record<string, typeof NOT_HTTP> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'HEADERS_TOO_LARGE',
    message: 'The headers are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'REQUEST_TIMEOUT',
    message: 'The request took too long to arrive.',
  },
};

/** Sends an answer as it was decided: the body is finished JSON text. */
export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  return reply.code(answer.status).header('content-type', 'application/json; charset=utf-8').send(answer.body);
}

function sendError(reply: FastifyReply, error: AppError, status?: number): FastifyReply {
  const answer = failure(error, reply.request.id);
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
  if (error.kind === 'unauthenticated') reply.header('www-authenticate', challenge(reply.request));
  return sendAnswer(reply, { status: status ?? answer.status, body: answer.body });
}

/** How to authenticate, and that what was sent is not valid. Source: RFC 6750, section 3. */
function challenge({ headers }: FastifyRequest): string {
  const scheme = 'Bearer realm="manilla"';
  return headers.authorization === undefined ? scheme : `${scheme}, error="invalid_token"`;
}

/** 405 where the address has other methods (RFC 9110, section 15.5.6), 404 where there is no such address. */
function refuseAddress(request: FastifyRequest, reply: FastifyReply, methods: readonly string[]): void {
  if (methods.length > 0 && !methods.includes(request.method)) {
    const message = `${request.method} is not possible here. This address takes ${methods.join(', ')}.`;
    reply.header('allow', methods.join(', '));
    void sendError(reply, new AppError('not_found', 'METHOD_NOT_ALLOWED', message), 405);
    return;
  }
  const message = 'There is no such operation. See /docs for those there are.';
  void sendError(reply, new AppError('not_found', 'ROUTE_NOT_FOUND', message));
}

/**
 * What was thrown, as an answer. The log has what is our own trouble, within bounds: while the database is away nobody is held up, and
 * a line for each request would fill the disk that it needs to come back.
 */
function createErrorAnswers() {
  const mayLog = boundedLinesByName(() => performance.now());
  return async (thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const error = toAppError(thrown);
    const { url: route } = request.routeOptions;
    const isLogged = error === undefined || error.cause !== undefined;
    const leftOut = isLogged ? mayLog(error?.code ?? route ?? '') : undefined;
    const about = { requestId: request.id, ...(leftOut !== undefined && leftOut > 0 && { leftOut }) };
    if (error === undefined) {
      if (leftOut !== undefined) request.log.error({ err: thrown, ...about, route }, 'request failed');
      await sendAnswer(reply, { status: 500, body: failureBody(INTERNAL_ERROR, request.id) });
      return;
    }
    if (leftOut !== undefined) request.log.warn({ err: error, ...about }, error.code);
    await sendError(reply, error, frameworkStatus(thrown));
  };
}

const INTERNAL_ERROR: Refusal = {
  code: 'INTERNAL_ERROR',
  message: 'Something went wrong on our side. Nothing you sent was wrong; the request id helps us find it.',
  errors: undefined,
};

/** Of an operation that keeps no answer under a key. */
const savingUnknown = (cause: CommitUnknownError) =>
  new AppError(
    'unavailable',
    'OUTCOME_UNKNOWN',
    'The database did not answer while saving. Look whether it was saved before you send it again.',
    { retryAfterSeconds: 5, cause },
  );

const FRAMEWORK_ERRORS: Record<string, { status: number; code: string; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    status: 413,
    code: 'BODY_TOO_LARGE',
    message: 'The body is larger than this operation takes.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'CONTENT_TYPE_UNSUPPORTED',
    message: 'The body must be JSON, sent with Content-Type: application/json.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, code: 'BODY_MISSING', message: 'The body must be a JSON object.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, code: 'JSON_MALFORMED', message: 'The body is not valid JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    code: 'CONTENT_LENGTH_WRONG',
    message: 'The body is not as long as Content-Length says.',
  },
  FST_ERR_BAD_URL: { status: 400, code: 'URL_MALFORMED', message: 'The address is not valid.' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, code: 'ROUTE_NOT_FOUND', message: 'There is no such operation.' },
};

function toAppError(thrown: FastifyError | Error): AppError | undefined {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof CommitUnknownError) return savingUnknown(thrown);
  const known = FRAMEWORK_ERRORS['code' in thrown ? thrown.code : ''];
  if (known !== undefined)
    return new AppError('invalid', known.code, 'words' in thrown ? String(thrown.words) : known.message);
  const status = 'statusCode' in thrown ? thrown.statusCode : undefined;
  // Other refusals of the framework before a handler ran: a body that JSON cannot be read from.
  if (status === 400) return new AppError('invalid', 'JSON_MALFORMED', 'The body is not valid JSON.');
  return outOfResources(thrown);
}

function frameworkStatus(thrown: FastifyError | Error): number | undefined {
  return FRAMEWORK_ERRORS['code' in thrown ? thrown.code : '']?.status;
}
