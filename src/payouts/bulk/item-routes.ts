import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../../access/index.ts';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import { listRequest } from '../../platform/lists/list.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { dropItem, mendItem } from './mend-item.ts';
import { readItems } from './read-batches.ts';
import { BatchParams, ItemListPage, ItemPage, ItemParams, ListItemsQuery, MendItemBody } from './schemas.ts';

const tags = ['Bulk payouts'];
const write = { scope: 'payout:write', service: 'PAYOUT' } as const;

export function itemRoutes(deps: BulkDeps): FastifyPluginAsyncTypebox {
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
          response: answers(Success(ItemListPage)),
        },
      },
      async (request, reply) => {
        const { isValid, hasWarnings, isDuplicate } = request.query;
        const wanted = { batchReference: request.params.batchReference, isValid, hasWarnings, isDuplicate };
        const page = await readItems(deps.database, request.principal.tenant, wanted, listRequest(request.query));
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
        answerCommand(deps.ledger, request, reply, () => {
          const { bulkPayoutItemId, ...changes } = request.body;
          const { tenant } = request.principal;
          return mendItem(deps, { tenant, itemId: bulkPayoutItemId, changes, idempotency: request.idempotency });
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
        answerCommand(deps.ledger, request, reply, () => {
          const { tenant } = request.principal;
          return dropItem(deps, { tenant, itemId: request.params.id, idempotency: request.idempotency });
        }),
    );
  };
}
