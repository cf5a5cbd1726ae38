import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { nameOfPerson, sessionSecretOf, setSessionCookie, visitorOf } from '../../access/index.ts';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import type { PeopleRoutesDeps } from '../deps.ts';
import { sessionOf } from '../sessions/routes.ts';
import { Nothing } from '../sessions/schemas.ts';
import { acceptInvitation, lookAtInvitation } from './accept-invitation.ts';
import { changeRole, removePerson } from './change-role.ts';
import type { Manager } from './house.ts';
import { invitePerson, remindInvited } from './invite.ts';
import { listPeople } from './list-people.ts';
import {
  AcceptBody,
  InvitationSchema,
  InviteMemberBody,
  InviteOperatorBody,
  LookBody,
  MemberSchema,
  PersonIdSchema,
  RoleBody,
} from './schemas.ts';

const People = answers(Success(Type.Array(MemberSchema)));
const Invited = answers(Success(PersonIdSchema));
const Done = answers(Success(Nothing));

function managerOf(request: FastifyRequest): Manager {
  const session = sessionOf(request);
  const merchantId = session.merchant?.merchantId ?? null;
  return { personId: session.personId, name: nameOfPerson(session), merchantId };
}

/** The people of a merchant. */
export function memberRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  const tags = ['Dashboard: people'];
  const reads = { scope: null, permission: 'member:read', beforeApproval: true } as const;
  const manages = { scope: null, permission: 'member:manage', beforeApproval: true } as const;
  return async (app) => {
    app.get(
      '/member',
      { config: { access: reads }, schema: { tags, summary: 'The people of the business', response: People } },
      async (request, reply) => {
        const { personId, merchantId } = managerOf(request);
        return sendAnswer(reply, success('Success', await listPeople(deps.database, merchantId, personId)));
      },
    );
    app.post(
      '/member/invite',
      {
        config: { access: { ...manages, fresh: true } },
        schema: { tags, summary: 'Invite somebody', body: InviteMemberBody, response: Invited },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        const invited = await invitePerson(deps, { by: managerOf(request), ...request.body, visitor });
        return sendAnswer(reply, success('The invitation is on its way.', invited));
      },
    );
    app.patch(
      '/member/:personId',
      {
        config: { access: { ...manages, fresh: true } },
        schema: { tags, summary: 'Change a role', params: PersonIdSchema, body: RoleBody, response: Done },
      },
      async (request, reply) => {
        await changeRole(deps, { by: managerOf(request), ...request.params, role: request.body.role });
        return sendAnswer(reply, success('The role is changed.', null));
      },
    );
    app.delete(
      '/member/:personId',
      {
        config: { access: { ...manages, fresh: true } },
        schema: { tags, summary: 'Remove somebody, or an invitation', params: PersonIdSchema, response: Done },
      },
      async (request, reply) => {
        await removePerson(deps, { by: managerOf(request), ...request.params });
        return sendAnswer(reply, success('They may not sign in any more.', null));
      },
    );
    app.post(
      '/member/:personId/remind',
      {
        config: { access: manages },
        schema: { tags, summary: 'Send an invitation again', params: PersonIdSchema, response: Done },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        await remindInvited(deps, { by: managerOf(request), ...request.params, visitor });
        return sendAnswer(reply, success('The invitation is on its way.', null));
      },
    );
  };
}

/** The operator's own staff. */
export function operatorPeopleRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  const tags = ['Operator: people'];
  const access = { operator: true } as const;
  const manages = { operator: true, audit: 'PEOPLE' } as const;
  return async (app) => {
    app.get(
      '/operator/person',
      { config: { access }, schema: { tags, summary: "The operator's staff", response: People } },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await listPeople(deps.database, null, sessionOf(request).personId))),
    );
    app.post(
      '/operator/person/invite',
      {
        config: { access: { ...manages, fresh: true } },
        schema: { tags, summary: 'Invite a colleague', body: InviteOperatorBody, response: Invited },
      },
      async (request, reply) => {
        const input = { by: managerOf(request), role: null, visitor: visitorOf(request, deps.publicUrl) };
        const invited = await invitePerson(deps, { ...input, email: request.body.email });
        return sendAnswer(reply, success('The invitation is on its way.', invited));
      },
    );
    app.delete(
      '/operator/person/:personId',
      {
        config: { access: { ...manages, fresh: true } },
        schema: { tags, summary: 'Remove a colleague, or an invitation', params: PersonIdSchema, response: Done },
      },
      async (request, reply) => {
        await removePerson(deps, { by: managerOf(request), ...request.params });
        return sendAnswer(reply, success('They may not sign in any more.', null));
      },
    );
    app.post(
      '/operator/person/:personId/remind',
      {
        config: { access: manages },
        schema: { tags, summary: 'Send an invitation again', params: PersonIdSchema, response: Done },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        await remindInvited(deps, { by: managerOf(request), ...request.params, visitor });
        return sendAnswer(reply, success('The invitation is on its way.', null));
      },
    );
  };
}

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
        schema: { tags, summary: 'Accept an invitation, and sign in', body: AcceptBody, response: Done },
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
