import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { keyView, listKeysOfMaker, sessionSecretOf, setSessionCookie, visitorOf } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { changeRole, removePerson } from './change-role.ts';
import { changeRoutes } from './change-routes.ts';
import type { PeopleRoutesDeps } from './deps.ts';
import { acceptInvitation, invitePerson, lookAtInvitation, remindInvited } from './invitations.ts';
import { listPeople, requireKnown } from './organization.ts';
import {
  AcceptBody,
  InvitationSchema,
  InvitedSchema,
  InviteMemberBody,
  KeyOfMakerSchema,
  LookBody,
  MemberSchema,
  Nothing,
  PersonIdSchema,
  RemoveQuery,
  RoleBody,
  RoleChangedSchema,
  TakenSchema,
} from './schemas.ts';
import { managerOf } from './session-routes.ts';

const People = answers(Success(Type.Array(MemberSchema)));
const Invited = answers(Success(InvitedSchema));
const Done = answers(Success(Nothing));
const SENT = 'The invitation is on its way.';
const WAITS = 'A second person has to agree first.';

const tags = ['Dashboard: people'];
const reads = { scope: null, permission: 'member:read', beforeApproval: true } as const;
const manages = { scope: null, permission: 'member:manage', beforeApproval: true } as const;

/** The people of a merchant. */
export function memberRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/member',
      {
        config: { access: reads },
        schema: { tags, operationId: 'listMembers', summary: 'The people of the business', response: People },
      },
      async (request, reply) => {
        const { personId, merchantId } = managerOf(request);
        return sendAnswer(reply, success('Success', await listPeople(deps.database, merchantId, personId)));
      },
    );
    app.post(
      '/member/invite',
      {
        config: { access: { ...manages, stepUp: true } },
        schema: {
          tags,
          operationId: 'inviteMember',
          summary: 'Invite somebody',
          body: InviteMemberBody,
          response: Invited,
        },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        const invited = await invitePerson(deps, { by: managerOf(request), ...request.body, visitor });
        return sendAnswer(reply, success(invited.changeId === null ? SENT : WAITS, invited));
      },
    );
    await addRoutes(app, onePersonRoutes(deps), changeRoutes(deps, 'MEMBER'));
  };
}

function onePersonRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.patch(
      '/member/:personId',
      {
        config: { access: { ...manages, stepUp: true } },
        schema: {
          tags,
          operationId: 'updateMember',
          summary: 'Change a role; keys of theirs that may do more are revoked unless they are to be kept',
          params: PersonIdSchema,
          body: RoleBody,
          response: answers(Success(RoleChangedSchema)),
        },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        const input = { by: managerOf(request), ...request.params, ...request.body, visitor };
        const changed = await changeRole(deps, input);
        return sendAnswer(reply, success(changed.changeId === null ? 'The role is changed.' : WAITS, changed));
      },
    );
    app.delete(
      '/member/:personId',
      {
        config: { access: { ...manages, stepUp: true } },
        schema: {
          tags,
          operationId: 'removeMember',
          summary: 'Remove somebody, or an invitation; keys of theirs are revoked unless they are to be kept',
          params: PersonIdSchema,
          querystring: RemoveQuery,
          response: answers(Success(TakenSchema)),
        },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        const input = { by: managerOf(request), ...request.params, ...request.query, visitor };
        return sendAnswer(reply, success('They may not sign in any more.', await removePerson(deps, input)));
      },
    );
    app.get(
      '/member/:personId/key',
      {
        config: { access: manages },
        schema: {
          tags,
          operationId: 'listMemberKeys',
          summary: 'The keys in force that somebody made, of both modes',
          params: PersonIdSchema,
          response: answers(Success(Type.Array(KeyOfMakerSchema))),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.principal.tenant;
        const { personId } = request.params;
        await requireKnown(deps.database, merchantId, personId);
        const keys = await listKeysOfMaker({ ...deps, queries: deps.database }, { merchantId, personId });
        return sendAnswer(
          reply,
          success(
            'Success',
            keys.map((key) => ({ ...keyView(key), mode: key.mode })),
          ),
        );
      },
    );
    app.post(
      '/member/:personId/remind',
      {
        config: { access: manages },
        schema: {
          tags,
          operationId: 'remindMember',
          summary: 'Send an invitation again',
          params: PersonIdSchema,
          response: Done,
        },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        await remindInvited(deps, { by: managerOf(request), ...request.params, visitor });
        return sendAnswer(reply, success(SENT, null));
      },
    );
  };
}

/** For a person who was invited and has no account yet. */
export function invitationRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  const signInTags = ['Dashboard: signing in'];
  return async (app) => {
    app.post(
      '/invitation/look',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags: signInTags,
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
          tags: signInTags,
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
