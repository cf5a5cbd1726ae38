import type { FastifyInstance, FastifyRequest } from 'fastify';
import { auditRequests } from '../audit/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { RequestLimits } from '../platform/http/request-limits.ts';
import type { Logger } from '../platform/logger.ts';
import { requireStepUp } from './authorize.ts';
import { mustBeOperator, notInSupportView, personRequired, secondFactorNeeded, sessionMissing } from './errors.ts';
import { auditedRequest, type OperatorAccess, type OperatorOfRequest, type SessionAccess } from './route-access.ts';
import {
  nameOfPerson,
  requireCsrfToken,
  requireOwnPage,
  type Sessions,
  type SignedIn,
  sessionSecretOf,
} from './session.ts';
import { type SupportViews, supportViewTokenOf } from './support-view.ts';

/**
 * Guards the routes by which people sign in and out, of merchants and of the operator alike. Routes that need no
 * session yet still refuse requests from other sites.
 */
export function guardSessionRoutes(app: FastifyInstance, deps: SessionRouteDeps): void {
  app.decorateRequest('signedIn', null);
  app.addHook('onRoute', (route) => {
    const access = route.config?.access;
    if (access === undefined || !('session' in access))
      throw new Error(`${String(route.method)} ${route.url} does not say which session it needs`);
  });
  app.addHook('onRequest', async (request) => {
    const { session: needed, stepUp } = request.route.config.access as SessionAccess;
    if (needed === 'OPEN') {
      deps.limits.countStranger(request);
      requireOwnPage(request, deps.publicUrl);
    } else if (needed === 'FULL') {
      const session = await requireFullSession(request, deps);
      if (stepUp === true) requireStepUp(session.stepUpUntil, deps.clock.now());
    } else {
      const session = await sessionOf(request, deps);
      requireOwnPage(request, deps.publicUrl);
      // The page of a pending session has no token yet, and the session can do nothing that an attacker would want.
      request.signedIn = session.stage === 'MFA_PENDING' ? session : acceptSession(request, deps, session);
    }
  });
  auditRequests(app, { ...deps, auditOf: auditedRequest });
}

export interface SessionRouteDeps {
  sessions: Sessions;
  supportViews: SupportViews;
  limits: RequestLimits;
  database: Database;
  clock: Clock;
  logger: Logger;
  /** The address under which people reach the service, where one is set. */
  publicUrl: string | undefined;
}

/** Requires a session of the operator's staff on every route of this scope of the app. Keys and members are refused. */
export function guardOperatorRoutes(app: FastifyInstance, deps: SessionRouteDeps): void {
  app.decorateRequest('operator', null as unknown as OperatorOfRequest);
  app.decorateRequest('signedIn', null);
  app.addHook('onRoute', (route) => {
    const access = route.config?.access;
    if (access === undefined || !('operator' in access))
      throw new Error(`${String(route.method)} ${route.url} does not say that it is the operator's`);
  });
  app.addHook('onRequest', async (request) => {
    const session = await requireFullSession(request, deps);
    if (session.kind !== 'OPERATOR') throw mustBeOperator();
    // A page belongs either to the operator or to a support view: what is read in a view is in the merchant's log by
    // name.
    if (supportViewTokenOf(request) !== undefined) throw notInSupportView();
    const { stepUp } = request.route.config.access as OperatorAccess;
    if (stepUp === true) requireStepUp(session.stepUpUntil, deps.clock.now());
    const { personId, email, sessionId, stepUpUntil } = session;
    request.operator = { personId, email, name: nameOfPerson(session), sessionId, stepUpUntil };
  });
  auditRequests(app, { ...deps, auditOf: auditedRequest });
}

/**
 * Requires the full session of a person.
 * @throws AppError 403 `PERSON_REQUIRED`, `CSRF_REFUSED`; 401 `SESSION_MISSING`, `SESSION_EXPIRED`,
 *   `SECOND_FACTOR_NEEDED`.
 */
export async function requireFullSession(request: FastifyRequest, deps: SessionRouteDeps): Promise<SignedIn> {
  return acceptSession(request, deps, await sessionOf(request, deps));
}

/**
 * The session that a request names, of any stage. Requests without a valid one are counted by network address, others
 * by session.
 * @throws AppError 403 `PERSON_REQUIRED`; 401 `SESSION_MISSING`, `SESSION_EXPIRED`; 429 `RATE_LIMITED`.
 */
async function sessionOf(request: FastifyRequest, { sessions, limits }: SessionRouteDeps): Promise<SignedIn> {
  try {
    if (request.headers.authorization !== undefined) throw personRequired();
    const secret = sessionSecretOf(request);
    if (secret === undefined) throw sessionMissing();
    if (!sessions.knows(secret)) limits.requireCapacity(request);
    const session = await sessions.authenticate(secret);
    limits.countKey(request, session.sessionId);
    return session;
  } catch (error) {
    throw limits.countRefusal(request, error);
  }
}

/** Accepts a full session, for a request that comes from our own page. */
export function acceptSession(request: FastifyRequest, deps: SessionRouteDeps, session: SignedIn): SignedIn {
  if (session.stage === 'MFA_PENDING') throw secondFactorNeeded();
  requireOwnPage(request, deps.publicUrl);
  requireCsrfToken(request, deps.sessions, session.sessionId);
  request.signedIn = session;
  return session;
}
