import type { FastifyInstance } from 'fastify';
import { auditRequests } from '../audit/index.ts';
import { auditedRequest } from './audited-request.ts';
import { requireFresh } from './authorize.ts';
import { requireOwnPage } from './csrf.ts';
import { personRequired, sessionMissing } from './errors.ts';
import { acceptSession, requireWholeSession, type SessionRouteDeps } from './operator-route.ts';
import type { SessionAccess } from './route-access.ts';
import { sessionSecretOf } from './session-cookie.ts';

/**
 * Guards the routes that lead into a session and out of it, for merchants' people and the operator's alike. Those that
 * need no session yet still take nothing from the page of another site.
 */
export function guardSessionRoutes(app: FastifyInstance, deps: SessionRouteDeps): void {
  app.decorateRequest('signedIn', null);
  app.addHook('onRoute', (route) => {
    const access = route.config?.access;
    if (access === undefined || !('session' in access))
      throw new Error(`${String(route.method)} ${route.url} does not say which session it needs`);
  });
  app.addHook('onRequest', async (request) => {
    const { session: needed, fresh } = request.routeOptions.config.access as SessionAccess;
    if (needed === 'OPEN') {
      requireOwnPage(request, deps.publicUrl);
    } else if (needed === 'WHOLE') {
      const session = await requireWholeSession(request, deps);
      if (fresh === true) requireFresh(session.freshUntil, deps.clock.now());
    } else {
      if (request.headers.authorization !== undefined) throw personRequired();
      const secret = sessionSecretOf(request);
      if (secret === undefined) throw sessionMissing();
      const session = await deps.sessions.authenticate(secret);
      requireOwnPage(request, deps.publicUrl);
      // A half session has shown its page no token yet, and can do nothing that a stranger would want done.
      request.signedIn = session.stage === 'HALF' ? session : acceptSession(request, deps, session);
    }
  });
  auditRequests(app, { ...deps, auditOf: auditedRequest });
}
