import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { sessionSecretOf, setSessionCookie, visitorOf } from '../../access/index.ts';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import type { PeopleRoutesDeps } from '../deps.ts';
import { Nothing } from '../sessions/schemas.ts';
import { acceptInvitation, lookAtInvitation } from './accept-invitation.ts';
import { AcceptBody, InvitationSchema, LookBody } from './schemas.ts';

const Done = answers(Success(Nothing));

/** For whoever was invited and is nobody yet. */
export function invitationRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  const tags = ['Dashboard: signing in'];
  return async (app) => {
    app.post(
      '/invitation/look',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags,
          operationId: 'getInvitation',
          summary: 'What an invitation says',
          body: LookBody,
          response: answers(Success(InvitationSchema)),
        },
      },
      async (request, reply) => sendAnswer(reply, success('Success', await lookAtInvitation(deps, request.body.token))),
    );
    app.post(
      '/invitation/accept',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags,
          operationId: 'acceptInvitation',
          summary: 'Accept an invitation, and sign in',
          body: AcceptBody,
          response: Done,
        },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        const input = { ...request.body, visitor, secretBefore: sessionSecretOf(request) };
        setSessionCookie(reply, await acceptInvitation(deps, input));
        return sendAnswer(reply, success('Welcome to Manilla.', null));
      },
    );
  };
}
