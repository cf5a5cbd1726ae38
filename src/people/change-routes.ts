import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { visitorOf } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { decideChange, listChanges } from './decide-change.ts';
import type { PeopleRoutesDeps } from './deps.ts';
import { CHANGE_KINDS } from './member-queries.ts';
import { RoleSchema } from './schemas.ts';
import { managerOf, sessionOf } from './session-routes.ts';

/** A change that waits for a second person. */
const ChangeSchema = Named(
  'Change',
  Type.Object({
    changeId: Uuid(),
    kind: Type.Enum([...CHANGE_KINDS], {
      description: 'An invitation, another role, or a second factor that is switched off for somebody who lost it.',
    }),
    title: Type.String({ examples: ['Invite ada@shop.example as approver'] }),
    personId: Uuid('Whom it is about; of an invitation who is to become one.'),
    email: Type.String(),
    role: Nullable(RoleSchema),
    roleBefore: Nullable(RoleSchema),
    reason: Nullable(Type.String({ description: 'What the operator’s terminal gave as the reason.' })),
    needed: Type.Integer({ description: 'How many people have to agree.' }),
    given: Type.Integer({ description: 'How many have.' }),
    madeBy: Type.Object({ personId: Nullable(Uuid('Null: the operator’s terminal.')), name: Type.String() }),
    madeAt: DateTime(),
    expiresAt: DateTime('Without enough people who agree until then it is off.'),
    mayApprove: Type.Boolean({ description: 'May you, who ask, agree to it now?' }),
    mayReject: Type.Boolean({ description: 'May you reject it, or take it back where you asked for it?' }),
    whyNot: Nullable(Type.String({ description: 'Why you may not agree, in a sentence.' })),
  }),
);

const ChangeParams = Type.Object({ changeId: Uuid() });

const DecidedSchema = Named(
  'Decided',
  Type.Object({
    status: Type.Enum(['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN'], {
      description: '`PENDING`: more people have to agree.',
    }),
  }),
);

const MESSAGES = {
  PENDING: 'Your agreement counts; more people have to agree',
  APPROVED: 'Agreed, and done',
  REJECTED: 'Rejected',
  WITHDRAWN: 'Taken back',
} as const;

const ORGANIZATIONS = {
  MEMBER: {
    at: '/member/change',
    tags: ['Dashboard: people'],
    reads: { scope: null, permission: 'member:read', beforeApproval: true },
    decides: { scope: null, permission: 'approval:decide', beforeApproval: true },
  },
  OPERATOR: {
    at: '/operator/person/change',
    tags: ['Operator: people'],
    reads: { operator: true },
    decides: { operator: true, audit: 'PEOPLE' },
  },
} as const;

/** Changes that wait for a second person among a merchant's people, or among the operator's. */
export function changeRoutes(
  deps: PeopleRoutesDeps,
  organization: keyof typeof ORGANIZATIONS,
): FastifyPluginAsyncTypebox {
  const { at, tags, reads, decides } = ORGANIZATIONS[organization];
  return async (app) => {
    app.get(
      at,
      {
        config: { access: reads },
        schema: {
          tags,
          summary: 'What about people waits for a second person',
          response: answers(Success(Type.Array(ChangeSchema))),
        },
      },
      async (request, reply) => {
        const viewer = { ...managerOf(request), role: sessionOf(request).role };
        return sendAnswer(
          reply,
          success('Success', await listChanges({ queries: deps.database, clock: deps.clock }, viewer)),
        );
      },
    );
    for (const decision of ['approve', 'reject'] as const) {
      app.post(
        `${at}/:changeId/${decision}`,
        {
          config: { access: decision === 'approve' ? { ...decides, stepUp: true } : decides },
          schema: {
            tags,
            summary: decision === 'approve' ? 'Agree to a change of people' : 'Reject it, or take your own back',
            params: ChangeParams,
            response: answers(Success(DecidedSchema)),
          },
        },
        async (request, reply) => {
          const visitor = visitorOf(request, deps.publicUrl);
          const input = { by: managerOf(request), changeId: request.params.changeId, visitor };
          const how = decision === 'approve' ? ('APPROVE' as const) : ('REJECT' as const);
          const decided = await decideChange(deps, { ...input, decision: how });
          return sendAnswer(reply, success(MESSAGES[decided.status], decided));
        },
      );
    }
  };
}
