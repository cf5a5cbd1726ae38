import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestLog } from './request-log.ts';

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
      log.note(principal.tenant, () => describe(request, reply, payload));
    }
    done();
  });
}

function describe(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { principal } = request;
  return {
    tenant: principal.tenant,
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? '',
    url: shownUrl(request.url),
    status: reply.statusCode,
    code: reply.statusCode < 400 ? null : codeIn(payload),
    durationMs: reply.elapsedTime,
    keyId: principal.keyId,
    ip: request.ip,
  };
}

function codeIn(payload: unknown): string | null {
  if (typeof payload !== 'string') return null;
  return /"code":"([A-Z0-9_]{1,80})"/.exec(payload)?.[1] ?? null;
}
