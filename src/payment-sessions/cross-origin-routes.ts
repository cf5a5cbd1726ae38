import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { RequestLimits } from '../platform/http/request-limits.ts';
import { createKnownOrigins, readSettings } from './settings.ts';

/** The header that carries a client secret, so that no address contains it. */
export const SECRET_HEADER = 'x-client-secret';

const ALLOWED_HEADERS = `authorization, content-type, idempotency-key, if-none-match, ${SECRET_HEADER}`;
const SHOWN_HEADERS = 'etag, retry-after, x-request-id, idempotency-replayed';
/** An `Authorization` header with a publishable key, valid or not. */
const PUBLIC_BEARER = /^Bearer +pk_/i;
/** How long a browser may keep the answer to a preflight. */
const PREFLIGHT_SECONDS = 600;

/** What browsers of a merchant's pages may call with a public key, by method. */
const FOR_BROWSERS = [
  ['/collection/session', 'POST'],
  ['/collection/session/:sessionId', 'GET'],
  ['/collection/session/:sessionId/check', 'POST'],
  ['/bank', 'GET'],
] as const;

/**
 * Lets a page read the answer, where its merchant allowed its origin. Secret keys are not for browsers: their answers get
 * no such headers.
 */
export async function allowOrigin(
  { database }: { database: Database },
  { principal, headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { origin } = headers;
  if (principal.keyKind !== 'PUBLIC' || origin === undefined) return;
  reply.header('vary', 'Origin');
  const { allowedOrigins } = await readSettings({ database }, principal.tenant);
  if (allowedOrigins.includes(origin)) letRead(reply, origin);
}

/**
 * Lets a page read why it was refused before its merchant was looked at: too many requests, a key that is revoked. A
 * browser sends such a request only for a page that some merchant named (`preflightRoutes`), and the refusal says nothing of a
 * merchant, so nobody is asked.
 */
export function showRefusal(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const { origin, authorization } = headers;
  // A decision of `allowOrigin` stands.
  const isDecided = reply.statusCode < 400 || reply.hasHeader('vary');
  if (!isDecided && origin !== undefined && PUBLIC_BEARER.test(authorization ?? '')) {
    letRead(reply.header('vary', 'Origin'), origin);
  }
  done(null, payload);
}

function letRead(reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', SHOWN_HEADERS);
}

/**
 * CORS preflights, which have no key. They succeed for origins that any merchant allowed; the request itself is then held
 * to the merchant of its key.
 */
export function preflightRoutes(deps: { database: Database; clock: Clock }, limits: RequestLimits): FastifyPluginAsync {
  const isKnown = createKnownOrigins(deps);
  return async (app) => {
    app.addHook('onRequest', async (request) => limits.countStranger(request));
    for (const [url, method] of FOR_BROWSERS) {
      app.options(url, { schema: { hide: true } }, async (request, reply) => {
        const { origin } = request.headers;
        reply.header('vary', 'Origin').code(204);
        if (origin === undefined || !(await isKnown(origin))) return reply.send();
        return reply
          .header('access-control-allow-origin', origin)
          .header('access-control-allow-methods', method)
          .header('access-control-allow-headers', ALLOWED_HEADERS)
          .header('access-control-max-age', String(PREFLIGHT_SECONDS))
          .send();
      });
    }
  };
}
