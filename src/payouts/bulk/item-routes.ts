import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerQuestion } from '../../access/index.ts';
import { success } from '../../platform/answer.ts';
import { answers, pageRequest, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import { dropItem, type MendDeps, mendItem } from './mend-item.ts';
import { readItems, requireBatch } from './read-batches.ts';
import { BatchParams, ItemPage, ItemParams, ListItemsQuery, MendItemBody } from './schemas.ts';

const tags = ['Bulk payouts'];
const write = { scope: 'payout:write', service: 'PAYOUT' } as const;

export function itemRoutes(deps: MendDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/bulk/:batchReference/item',
      {
        config: { access: { scope: 'payout:read', service: 'PAYOUT' } },
        schema: {
          tags,
          summary: 'The items of a bulk payout, as they were given',
          params: BatchParams,
          querystring: ListItemsQuery,
          response: answers(Success(ItemPage)),
        },
      },
      async (request, reply) => {
        const batch = await requireBatch(deps.database, request.principal.tenant, request.params.batchReference);
        const page = await readItems(deps.database, batch, request.query.isValid, pageRequest(request.query));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.patch(
      '/payout/bulk/item',
      {
        config: { access: write },
        schema: {
          tags,
          summary: 'Update one item of a bulk payout',
          body: MendItemBody,
          response: answers(Success(ItemPage)),
        },
      },
      (request, reply) =>
        answerQuestion(deps.ledger, request, reply, () => {
          const { bulkPayoutItemId, ...changes } = request.body;
          return mendItem(deps, request.principal.tenant, bulkPayoutItemId, changes);
        }),
    );
    app.delete(
      '/payout/bulk/item/:id',
      {
        config: { access: write },
        schema: {
          tags,
          summary: 'Remove one item from a bulk payout',
          params: ItemParams,
          response: answers(Success(ItemPage)),
        },
      },
      (request, reply) =>
        answerQuestion(deps.ledger, request, reply, () => dropItem(deps, request.principal.tenant, request.params.id)),
    );
  };
}
