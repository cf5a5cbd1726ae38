import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { visitorOf } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { removePerson } from './change-role.ts';
import { changeRoutes } from './change-routes.ts';
import type { PeopleRoutesDeps } from './deps.ts';
import { invitePerson, remindInvited } from './invitations.ts';
import { listPeople } from './organization.ts';
import { InvitedSchema, InviteOperatorBody, MemberSchema, Nothing, PersonIdSchema, TakenSchema } from './schemas.ts';
import { managerOf, sessionOf } from './session-routes.ts';

const People = answers(Success(Type.Array(MemberSchema)));
const Invited = answers(Success(InvitedSchema));
const Done = answers(Success(Nothing));

/** The operator's own staff. */
export function operatorPeopleRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  const tags = ['Operator: people'];
  const access = { operator: true } as const;
  const manages = { operator: true, audit: 'PEOPLE' } as const;
  return async (app) => {
    await addRoutes(app, changeRoutes(deps, 'OPERATOR'));
    app.get(
      '/operator/person',
      {
        config: { access },
        schema: { tags, operationId: 'listOperators', summary: "The operator's staff", response: People },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await listPeople(deps.database, null, sessionOf(request).personId))),
    );
    app.post(
      '/operator/person/invite',
      {
        config: { access: { ...manages, stepUp: true } },
        schema: {
          tags,
          operationId: 'inviteOperator',
          summary: 'Invite a colleague, once another agrees',
          body: InviteOperatorBody,
          response: Invited,
        },
      },
      async (request, reply) => {
        const input = { by: managerOf(request), role: null, visitor: visitorOf(request, deps.publicUrl) };
        const invited = await invitePerson(deps, { ...input, email: request.body.email });
        return sendAnswer(reply, success('A second person has to agree first.', invited));
      },
    );
    app.delete(
      '/operator/person/:personId',
      {
        config: { access: { ...manages, stepUp: true } },
        schema: {
          tags,
          operationId: 'removeOperator',
          summary: 'Remove a colleague, or an invitation',
          params: PersonIdSchema,
          response: answers(Success(TakenSchema)),
        },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        const input = { by: managerOf(request), ...request.params, visitor };
        return sendAnswer(reply, success('They may not sign in any more.', await removePerson(deps, input)));
      },
    );
    app.post(
      '/operator/person/:personId/remind',
      {
        config: { access: manages },
        schema: {
          tags,
          operationId: 'remindOperator',
          summary: 'Send an invitation again',
          params: PersonIdSchema,
          response: Done,
        },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        await remindInvited(deps, { by: managerOf(request), ...request.params, visitor });
        return sendAnswer(reply, success('The invitation is on its way.', null));
      },
    );
  };
}
