import type { FastifyInstance } from 'fastify';
import { auditRequests } from '../audit/index.ts';
import { auditedRequest } from './audited-request.ts';
import { requireFresh } from './authorize.ts';
import { requireOwnPage } from './csrf.ts';
import { acceptSession, requireWholeSession, type SessionRouteDeps, sessionOf } from './operator-route.ts';
import type { SessionAccess } from './route-access.ts';

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
      deps.limits.countStranger(request);
      requireOwnPage(request, deps.publicUrl);
    } else if (needed === 'WHOLE') {
      const session = await requireWholeSession(request, deps);
      if (fresh === true) requireFresh(session.freshUntil, deps.clock.now());
    } else {
      const session = await sessionOf(request, deps);
      requireOwnPage(request, deps.publicUrl);
      // A half session has shown its page no token yet, and can do nothing that a stranger would want done.
      request.signedIn = session.stage === 'HALF' ? session : acceptSession(request, deps, session);
    }
  });
  auditRequests(app, { ...deps, auditOf: auditedRequest });
}
