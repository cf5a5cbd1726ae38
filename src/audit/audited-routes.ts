import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { unavailable } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Mode } from '../platform/tenant.ts';
import type { AuditActor, AuditEntry, AuditOutcome } from './audit-entry.ts';
import { recordAudit } from './record-audit.ts';
import { subjectOf } from './subject-of.ts';

/** Who asks, and in whose log it stands. */
export type Audited = Pick<AuditEntry, 'merchantId' | 'mode'> & { actor: AuditActor };

export interface AuditedRoutesDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
  /** Undefined for a request that is not recorded: an API key's, and one of nobody. */
  actorOf(request: FastifyRequest): Audited | undefined;
}

/** Methods that change nothing. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Records every request of a person that is no read: `ASKED` before its handler runs, so that nothing happens unseen,
 * and `DONE` or `REFUSED` with the code before it is answered. Install it before any hook that may refuse a request
 * whose actor is known, such as the one that checks the PIN.
 * @throws AppError (to the client) 503 `SERVICE_UNAVAILABLE` where the entry cannot be written; nothing was done.
 */
export function auditRequests(app: FastifyInstance, deps: AuditedRoutesDeps): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const audited = READS.has(request.method) ? undefined : deps.actorOf(request);
    if (audited === undefined) done();
    else
      record(deps, request, audited, 'ASKED', null).then(
        () => done(),
        (error: unknown) => done(notRecorded(error)),
      );
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const audited = READS.has(request.method) ? undefined : deps.actorOf(request);
    if (audited === undefined) {
      done();
      return;
    }
    const refused = reply.statusCode >= 400;
    record(deps, request, audited, refused ? 'REFUSED' : 'DONE', refused ? codeIn(payload) : null).then(
      () => done(),
      (error: unknown) => {
        // What was done is done, and that it was asked for is on record: the answer must not say otherwise.
        deps.logger.error({ err: error, requestId: request.id }, 'the outcome of a request was not recorded');
        done();
      },
    );
  });
}

const notRecorded = (cause: unknown) =>
  unavailable('This cannot be recorded at the moment, so it was not done. Please try again shortly.', cause);

function record(
  { database, clock }: AuditedRoutesDeps,
  request: FastifyRequest,
  { merchantId, mode, actor }: Audited,
  outcome: AuditOutcome,
  code: string | null,
): Promise<void> {
  const route = request.routeOptions.url ?? '(none)';
  return recordAudit(database, {
    merchantId: merchantId ?? merchantIn(request),
    mode: mode ?? modeIn(request),
    at: clock.now(),
    action: `${request.method} ${route}`,
    summary: request.routeOptions.schema?.summary ?? route,
    outcome,
    code,
    subject: subjectOf(request.params, request.body),
    actor,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: request.id,
  });
}

/** What the operator does to a merchant stands in that merchant's log. */
function merchantIn({ params, body }: FastifyRequest): string | null {
  const named = fieldOf(params, 'merchantId') ?? fieldOf(body, 'merchantId');
  return named !== undefined && isUuid(named) ? named.toLowerCase() : null;
}

function modeIn({ body }: FastifyRequest): Mode | null {
  const mode = fieldOf(body, 'mode');
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
