import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { BulkDeps } from './deps.ts';
import { GroupsSchema, ResolvedSchema, ResolveGroupBody } from './group-schemas.ts';
import { readGroups } from './read-groups.ts';
import { resolveGroup, undoGroupAction } from './resolve-group.ts';
import { BatchParams } from './schemas.ts';

const tags = ['Bulk payouts'];
const write = { scope: 'payout:write', service: 'PAYOUT' } as const;
const CLOSED = ['BATCH_ALREADY_DISPATCHED', 'BATCH_ALREADY_CANCELLED', 'BATCH_EXPIRED'];
const CHANGED = ['BATCH_CHANGED', 'BATCH_ACTION_RUNNING', 'APPROVAL_MOVED_ON', 'APPROVAL_SUBJECT_ALTERED'];

/** What is wrong with many items, and what is done to all of them at once. */
export function groupRoutes(deps: BulkDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/bulk/:batchReference/problem',
      {
        config: { access: { scope: 'payout:read', service: 'PAYOUT' }, errorCodes: ['BATCH_NOT_FOUND'] },
        schema: {
          tags,
          operationId: 'listBulkPayoutProblems',
          summary: 'The problems of a bulk payout in groups',
          description:
            'Items with the same problem and the same cause are one group, with what can be done to all of them.',
          params: BatchParams,
          response: answers(Success(GroupsSchema)),
        },
      },
      async (request, reply) => {
        const groups = await readGroups(deps, request.principal.tenant, request.params.batchReference);
        return sendAnswer(reply, success('Success', groups));
      },
    );
    app.post(
      '/payout/bulk/:batchReference/problem/resolve',
      {
        config: {
          access: write,
          errorCodes: [
            'BATCH_NOT_FOUND',
            'BATCH_GROUP_NOT_FOUND',
            'BATCH_VALIDATING',
            ...CLOSED,
            ...CHANGED,
            'BATCH_GROUP_ACTION_REFUSED',
          ],
        },
        schema: {
          tags,
          operationId: 'resolveBulkPayoutProblem',
          summary: 'Accept, change or remove all items of one problem',
          description:
            'All items of a group of the same code and cause. More than 500 are changed in the background, while the bulk ' +
            'payout is `VALIDATING`; an approval that it waits for is void.',
          params: BatchParams,
          body: ResolveGroupBody,
          response: answers(Success(ResolvedSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { batchReference } = request.params;
          const { code, action, cause = null, change = {}, version } = request.body;
          const { tenant } = request.principal;
          const group = { tenant, batchReference, code, cause, action, change, version };
          return resolveGroup(deps, { ...group, idempotency: request.idempotency });
        }),
    );
    app.post(
      '/payout/bulk/:batchReference/problem/undo',
      {
        config: {
          access: write,
          errorCodes: ['BATCH_NOT_FOUND', 'BATCH_NOTHING_TO_UNDO', ...CLOSED, ...CHANGED],
        },
        schema: {
          tags,
          operationId: 'undoBulkPayoutProblem',
          summary: 'Undo the last action on a group of items',
          description: 'Possible until the bulk payout is dispatched or changed otherwise.',
          params: BatchParams,
          response: answers(Success(ResolvedSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { batchReference } = request.params;
          const { tenant } = request.principal;
          return undoGroupAction(deps, { tenant, batchReference, idempotency: request.idempotency });
        }),
    );
  };
}
