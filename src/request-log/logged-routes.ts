import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MAX_READ, type OperationSchemas, type RawBodies, type RawBody } from './bodies.ts';
import type { AnsweredRequest, RequestLog } from './request-log.ts';

/** Fields of an address that say where somebody looked. What is not named here keeps its name and loses its value. */
const SHOWN: ReadonlySet<string> = new Set([
  ...[
    'page',
    'size',
    'status',
    'category',
    'from',
    'to',
    'after',
    'before',
    'limit',
    'type',
    'format',
    'isValid',
    'kind',
  ],
  ...['batchReference', 'mode', 'invalidOnly'],
]);
const MAX_LENGTH = 300;

/** The address of a request, fit to be kept: no value that might be a secret. */
function shownUrl(url: string): string {
  const [path = '', query] = url.split('?', 2);
  if (query === undefined || query === '') return path.slice(0, MAX_LENGTH);
  const fields = query.split('&').map((field) => {
    const [name = ''] = field.split('=', 1);
    return SHOWN.has(name) ? field : `${name}=…`;
  });
  return `${path}?${fields.join('&')}`.slice(0, MAX_LENGTH).toWellFormed();
}

/** Notes every request that came with a key or a token. What people do in their pages stands in the audit log. */
export function logRequests(app: FastifyInstance, log: RequestLog): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { principal } = request;
    if (principal !== null && principal.via !== 'SESSION') {
      log.note(principal.tenant, (withBodies) => describe(request, reply, payload, withBodies));
    }
    done();
  });
}

function describe(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  withBodies: boolean,
): AnsweredRequest {
  const { principal } = request;
  const isRefusal = reply.statusCode >= 400;
  const key = request.headers['idempotency-key'];
  return {
    tenant: principal.tenant,
    requestId: request.id,
    method: request.method,
    route: request.route.url ?? '',
    url: shownUrl(request.url),
    status: reply.statusCode,
    code: isRefusal ? codeIn(payload) : null,
    durationMs: reply.elapsedTime,
    keyId: principal.keyId,
    ip: request.ip,
    // What none may be is in nobody's books either.
    idempotencyKey: typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key) ? key : null,
    replayed: reply.hasHeader('idempotency-replayed'),
    about: request.method === 'GET' ? null : subjectOf(payload, request.bodySource),
    bodies: withBodies ? bodiesOf(request, reply, payload, isRefusal) : undefined,
  };
}

/** References only: the texts are there anyway, and are looked at when the log is written. */
function bodiesOf(request: FastifyRequest, reply: FastifyReply, payload: unknown, isRefusal: boolean): RawBodies {
  const { bodySource, headers } = request;
  const sent = Number(headers['content-length'] ?? 0);
  const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
  const isText = typeof payload === 'string';
  const size = isText || Buffer.isBuffer(payload) ? payload.length : Number(reply.getHeader('content-length') ?? 1);
  return {
    schemas: request.route.schema ?? NO_SCHEMAS,
    isRefusal,
    request: rawBody(bodySource === '' ? undefined : bodySource, bodySource === '' ? sent : bodySource.length),
    answer: rawBody(isText && isJson ? payload : undefined, size),
  };
}

const NO_SCHEMAS: OperationSchemas = {};

/** What is too large to be read is not held either. */
function rawBody(text: string | undefined, bytes: number): RawBody {
  const size = Number.isSafeInteger(bytes) && bytes > 0 ? Math.min(bytes, 2_147_483_647) : 0;
  return { text: text !== undefined && text.length <= MAX_READ ? text : undefined, bytes: size };
}

function codeIn(payload: unknown): string | null {
  if (typeof payload !== 'string') return null;
  return /"code":"([A-Z0-9_]{1,80})"/.exec(payload)?.[1] ?? null;
}

/** What a request is about, the nearest first, where it is an id of ours: whatever else somebody sent there is not kept. */
const SUBJECTS: readonly RegExp[] = [
  'transactionId',
  'scheduleId',
  'batchReference',
  'approvalId',
  'sessionId',
  'linkId',
  'customerId',
  'virtualAccountId',
  'beneficiaryId',
  'subaccountId',
  'storeId',
].map((name) => new RegExp(`"(${name})":\\s*"([0-9a-f-]{36}|MNB[0-9a-f]{32})"`));
/** Where a name stands, it stands at the beginning. */
const LOOKED_AT = 4_096;

function subjectOf(payload: unknown, bodySource: string): string | null {
  const answer = typeof payload === 'string' ? payload.slice(0, LOOKED_AT) : '';
  for (const text of [answer, bodySource.slice(0, LOOKED_AT)]) {
    for (const pattern of SUBJECTS) {
      const found = pattern.exec(text);
      // Joined, it is a text of its own: what was matched would keep the whole answer in memory until the log is written.
      if (found !== null) return [found[1], found[2]].join(' ');
    }
  }
  return null;
}
