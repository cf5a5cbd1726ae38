import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { PeopleRoutesDeps } from './deps.ts';
import { invitationRoutes } from './member-routes.ts';
import { outboxRoutes } from './outbox-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { ownSessionsRoutes, sessionRoutes, signInRoutes } from './session-routes.ts';
import { signUpRoutes } from './sign-up-routes.ts';

/** All that leads into a session, out of it, and belongs to whoever is in it. */
export function peopleRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(signUpRoutes(deps));
    await app.register(signInRoutes(deps));
    await app.register(sessionRoutes(deps));
    await app.register(ownSessionsRoutes(deps));
    await app.register(passwordRoutes(deps));
    await app.register(secondFactorRoutes(deps));
    await app.register(invitationRoutes(deps));
    await app.register(outboxRoutes(deps));
  };
}
