import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { keyView, listKeysOfMaker, nameOfPerson, visitorOf } from '../../access/index.ts';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import type { PeopleRoutesDeps } from '../deps.ts';
import { sessionOf } from '../sessions/routes.ts';
import { Nothing } from '../sessions/schemas.ts';
import { changeRole, removePerson } from './change-role.ts';
import type { Manager } from './house.ts';
import { invitePerson, remindInvited } from './invite.ts';
import { listPeople } from './list-people.ts';
import {
  InviteMemberBody,
  KeyOfMakerSchema,
  MemberSchema,
  PersonIdSchema,
  RemoveQuery,
  RoleBody,
  TakenSchema,
} from './schemas.ts';

const People = answers(Success(Type.Array(MemberSchema)));
const Invited = answers(Success(PersonIdSchema));
const Done = answers(Success(Nothing));

/** Who manages people, of whichever house they are signed in to. */
export function managerOf(request: FastifyRequest): Manager {
  const session = sessionOf(request);
  const merchantId = session.merchant?.merchantId ?? null;
  return { personId: session.personId, name: nameOfPerson(session), merchantId };
}

const tags = ['Dashboard: people'];
const reads = { scope: null, permission: 'member:read', beforeApproval: true } as const;
const manages = { scope: null, permission: 'member:manage', beforeApproval: true } as const;

/** The people of a merchant. */
export function memberRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
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
    await app.register(onePersonRoutes(deps));
  };
}

function onePersonRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.patch(
      '/member/:personId',
      {
        config: { access: { ...manages, fresh: true } },
        schema: {
          tags,
          summary: 'Change a role; keys of theirs that may do more are revoked unless they are to be kept',
          params: PersonIdSchema,
          body: RoleBody,
          response: answers(Success(TakenSchema)),
        },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        const input = { by: managerOf(request), ...request.params, ...request.body, visitor };
        return sendAnswer(reply, success('The role is changed.', await changeRole(deps, input)));
      },
    );
    app.delete(
      '/member/:personId',
      {
        config: { access: { ...manages, fresh: true } },
        schema: {
          tags,
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
          summary: 'The keys in force that somebody made, of both modes',
          params: PersonIdSchema,
          response: answers(Success(Type.Array(KeyOfMakerSchema))),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.principal.tenant;
        const keys = await listKeysOfMaker({ ...deps, queries: deps.database }, { merchantId, ...request.params });
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
