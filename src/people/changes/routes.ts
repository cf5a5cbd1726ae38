import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { visitorOf } from '../../access/index.ts';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import type { PeopleRoutesDeps } from '../deps.ts';
import { managerOf, sessionOf } from '../sessions/routes.ts';
import { decideChange } from './decide-change.ts';
import { listChanges } from './list-changes.ts';
import { ChangeParams, ChangeSchema, DecidedSchema } from './schemas.ts';

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

/** What waits for a second person among a merchant's people, or among the operator's. */
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
          config: { access: decision === 'approve' ? { ...decides, fresh: true } : decides },
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
