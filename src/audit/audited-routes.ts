import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createLruMap } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { unavailable } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Mode } from '../platform/tenant.ts';
import type { AuditActor, AuditEntry, AuditOutcome } from './queries.ts';
import { recordAudit } from './record-audit.ts';
import { subjectOf } from './subject-of.ts';

/** Who asks, in whose log it stands, and what kind of action it is. */
export type Audited = Pick<AuditEntry, 'merchantId' | 'mode' | 'category'> & {
  actor: AuditActor;
  /** It changes nothing: the same reader who looks at the same thing again and again is written down now and then. */
  isRead: boolean;
  /** What stands in its subject beside the fields of the request. Another is another read. */
  about?: Record<string, string>;
};

interface AuditedRoutesDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
  /** Undefined for a request that is not recorded. */
  auditOf(request: FastifyRequest): Audited | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the handler learned of its subject, such as the id of what it made; for the entry of the end. */
    auditSubject: Record<string, string> | null;
  }
}

/** A page that is left open reads the same list every few seconds; so often it is written down again. */
const SAME_READ_MS = 15 * 60_000;
/** Beyond it the ones longest ago go, and are written down once more. */
const MAX_READS_REMEMBERED = 10_000;

/**
 * Records every request that is to be: `ASKED` before its handler runs, so that nothing happens unseen, and `DONE` or
 * `REFUSED` with the code before it is answered. Install it before any hook that may refuse a request whose actor is
 * known, such as the one that checks the PIN.
 *
 * A read that went well is not recorded again for a while where the same session or key reads the same address from the
 * same network address. Another reader is another entry, always.
 * @throws AppError (to the client) 503 `SERVICE_UNAVAILABLE` where the entry cannot be written; nothing was done or shown.
 */
export function auditRequests(app: FastifyInstance, deps: AuditedRoutesDeps): void {
  const reads = createLruMap<number>(MAX_READS_REMEMBERED);
  const repeats = (request: FastifyRequest, audited: Audited) => {
    const since = audited.isRead ? reads.get(nameOfRead(request, audited)) : undefined;
    return since !== undefined && deps.clock.now().getTime() - since < SAME_READ_MS;
  };
  app.decorateRequest('auditSubject', null);
  app.addHook('preHandler', (request, _reply, done) => {
    const audited = deps.auditOf(request);
    if (audited === undefined || repeats(request, audited)) done();
    else
      record(deps, request, audited, 'ASKED', null).then(
        () => done(),
        (error: unknown) => done(notRecorded(error)),
      );
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const audited = deps.auditOf(request);
    const refused = reply.statusCode >= 400;
    if (audited === undefined || (!refused && repeats(request, audited))) {
      done();
      return;
    }
    record(deps, request, audited, refused ? 'REFUSED' : 'DONE', refused ? codeIn(payload) : null).then(
      () => {
        if (audited.isRead && !refused) reads.set(nameOfRead(request, audited), deps.clock.now().getTime());
        done();
      },
      (error: unknown) => {
        // What was done is done, and that it was asked for is on record: the answer must not say otherwise.
        deps.logger.error({ err: error, requestId: request.id }, 'the outcome of a request was not recorded');
        done();
      },
    );
  });
}

const nameOfRead = (request: FastifyRequest, { actor: { id, sessionId }, about = {} }: Audited) =>
  [id, sessionId, ...Object.values(about), request.ip, request.method, request.headers['x-mode'], request.url].join(
    ' ',
  );

const notRecorded = (cause: unknown) =>
  unavailable('This cannot be recorded at the moment, so it was not done. Please try again shortly.', cause);

function record(
  { database, clock }: AuditedRoutesDeps,
  request: FastifyRequest,
  { merchantId, mode, category, actor, about }: Audited,
  outcome: AuditOutcome,
  code: string | null,
): Promise<void> {
  const route = request.route.url ?? '(none)';
  return recordAudit(database, {
    merchantId: merchantId ?? merchantIn(request),
    mode: mode ?? modeIn(request),
    at: clock.now(),
    action: `${request.method} ${route}`,
    summary: request.route.schema?.summary ?? route,
    category: category ?? null,
    outcome,
    code,
    subject: { ...subjectOf(request.params, request.body, request.query), ...request.auditSubject, ...about },
    actor,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: request.id,
  });
}

/** What the operator does to a merchant, or looks at of it, stands in that merchant's log; a filtered list does not. */
function merchantIn({ params, body }: FastifyRequest): string | null {
  const named = fieldOf(params, 'merchantId') ?? fieldOf(body, 'merchantId');
  return named !== undefined && isUuid(named) ? named.toLowerCase() : null;
}

function modeIn({ body, query }: FastifyRequest): Mode | null {
  const mode = fieldOf(body, 'mode') ?? fieldOf(query, 'mode');
  return mode === 'SANDBOX' || mode === 'LIVE' ? mode : null;
}

function fieldOf(given: unknown, name: string): string | undefined {
  if (given === null || typeof given !== 'object') return undefined;
  const value = (given as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

function codeIn(payload: unknown): string | null {
  if (typeof payload !== 'string') return null;
  try {
    const { code } = JSON.parse(payload) as { code?: unknown };
    return typeof code === 'string' ? code : null;
  } catch {
    return null;
  }
}
