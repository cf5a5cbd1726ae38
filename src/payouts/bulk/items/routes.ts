import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../../../access/index.ts';
import { success } from '../../../platform/answer.ts';
import { answers, Success } from '../../../platform/http/schemas.ts';
import { sendAnswer } from '../../../platform/http/server.ts';
import { listRequest } from '../../../platform/lists/list.ts';
import type { BulkDeps } from '../bulk-deps.ts';
import {
  BatchItemParams,
  BatchParams,
  ItemListPage,
  ItemPage,
  ItemParams,
  ItemSchema,
  ListItemsQuery,
  UpdatedItemPage,
  UpdateItemBody,
} from '../schemas.ts';
import { readItem, readItems } from './read-items.ts';
import { dropItem, updateItem } from './update-item.ts';

const CHANGE_ERRORS = [
  'BATCH_ITEM_NOT_FOUND',
  'BATCH_VALIDATING',
  'BATCH_ALREADY_DISPATCHED',
  'BATCH_ALREADY_CANCELLED',
  'BATCH_EXPIRED',
  'BATCH_CHANGED',
  'APPROVAL_MOVED_ON',
  'APPROVAL_SUBJECT_ALTERED',
];

const tags = ['Bulk payouts'];
const write = { scope: 'payout:write', service: 'PAYOUT' } as const;

export function itemRoutes(deps: BulkDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/bulk/:batchReference/item',
      {
        config: { access: { scope: 'payout:read', service: 'PAYOUT' }, errorCodes: ['BATCH_NOT_FOUND'] },
        schema: {
          tags,
          operationId: 'listBulkPayoutItems',
          summary: 'The items of a bulk payout, as they were given',
          description: 'Filter by validity, by warnings and by text.',
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
    app.get(
      '/payout/bulk/:batchReference/item/:id',
      {
        config: {
          access: { scope: 'payout:read', service: 'PAYOUT' },
          errorCodes: ['BATCH_NOT_FOUND', 'BATCH_ITEM_NOT_FOUND'],
        },
        schema: {
          tags,
          operationId: 'getBulkPayoutItem',
          summary: 'One item of a bulk payout',
          description: 'As the list of its items has it, with the state of its payout once it has become one.',
          params: BatchItemParams,
          response: answers(Success(ItemSchema)),
        },
      },
      async (request, reply) => {
        const { batchReference, id: itemId } = request.params;
        const item = await readItem(deps.database, request.principal.tenant, { batchReference, itemId });
        return sendAnswer(reply, success('Success', item));
      },
    );
    app.patch(
      '/payout/bulk/item',
      {
        config: {
          access: write,
          errorCodes: CHANGE_ERRORS,
        },
        schema: {
          tags,
          operationId: 'updateBulkPayoutItem',
          summary: 'Update one item of a bulk payout',
          description: 'The item is validated again; an approval that the bulk payout waits for is void.',
          body: UpdateItemBody,
          response: answers(Success(UpdatedItemPage)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { bulkPayoutItemId, ...changes } = request.body;
          const { tenant } = request.principal;
          return updateItem(deps, { tenant, itemId: bulkPayoutItemId, changes, idempotency: request.idempotency });
        }),
    );
    app.delete(
      '/payout/bulk/item/:id',
      {
        config: {
          access: write,
          errorCodes: CHANGE_ERRORS,
        },
        schema: {
          tags,
          operationId: 'deleteBulkPayoutItem',
          summary: 'Remove one item from a bulk payout',
          description: 'It is not paid and not counted; an approval that the bulk payout waits for is void.',
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
