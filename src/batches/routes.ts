import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../access/index.ts';
import { makerOf } from '../approvals/index.ts';
import { PAYMENT_ERRORS } from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { goneSignal } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { RAIL_ERRORS } from '../rail-accounts/index.ts';
import type { BatchDeps } from './deps.ts';
import { dispatchBatch } from './dispatch-batch.ts';
import { cancelBatch } from './end-batch.ts';
import { readOutcome } from './outcome-views.ts';
import { readBatch, readBatches, readItem, readItems } from './read-batches.ts';
import {
  BatchItemParams,
  BatchParams,
  BatchSchema,
  BatchSummarySchema,
  CancelBatchBody,
  DispatchBatchBody,
  ItemListPage,
  ItemPage,
  ItemParams,
  ItemSchema,
  ListBatchesQuery,
  ListedBatchSchema,
  ListItemsQuery,
  OutcomeSchema,
  UpdatedItemPage,
  UpdateItemBody,
} from './schemas.ts';
import { dropItem, updateItem } from './update-item.ts';

const DISPATCH_ERRORS = [
  'BATCH_NOT_FOUND',
  'BATCH_VALIDATING',
  'BATCH_CHANGED',
  'BATCH_DIGEST_MISMATCH',
  'BATCH_ITEMS_ALTERED',
  'BATCH_OUTCOME_UNCERTAIN',
  'BATCH_DUPLICATE',
  'BATCH_REPEATS_CHANGED',
  'BATCH_ALREADY_DISPATCHED',
  'BATCH_ALREADY_CANCELLED',
  'BATCH_EXPIRED',
  'BATCH_PENDING_APPROVAL',
  'BATCH_HAS_INVALID_ITEMS',
  'BATCH_EMPTY',
  ...PAYMENT_ERRORS,
  ...RAIL_ERRORS,
];
const CANCEL_ERRORS = [
  'BATCH_NOT_FOUND',
  'BATCH_ALREADY_CANCELLED',
  'BATCH_ALREADY_DISPATCHED',
  'BATCH_EXPIRED',
  'BATCH_CHANGED',
  'APPROVAL_MOVED_ON',
  'APPROVAL_SUBJECT_ALTERED',
];

const tags = ['Bulk payouts'];
const write = { scope: 'payout:write', service: 'PAYOUT' } as const;
const read = { scope: 'payout:read' } as const;
/** Every field of an item at its longest, twice, with any escaping. */
const MAX_ITEM_BYTES = 32 * 1024;

/** Commands on a batch as a whole. */
export function batchRoutes(deps: BatchDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/payout/bulk/dispatch',
      {
        config: {
          access: { ...write, pin: true },
          errorCodes: DISPATCH_ERRORS,
        },
        schema: {
          tags,
          operationId: 'dispatchBulkPayout',
          summary: 'Dispatch a bulk payout',
          description:
            'Holds the total, all or nothing, and pays what the `digest` says was seen. With approvals it waits for them first.',
          body: DispatchBatchBody,
          response: answers(Success(BatchSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          dispatchBatch(deps, {
            tenant: request.principal.tenant,
            batchReference: request.body.batchReference,
            skipInvalid: request.body.skipInvalid ?? false,
            digest: request.body.digest,
            allowDuplicate: request.body.allowDuplicate,
            duplicates: request.body.duplicates,
            maker: makerOf(request),
            idempotency: request.idempotency,
          }),
        ),
    );
    app.post(
      '/payout/bulk/cancel',
      {
        config: {
          access: { scope: 'payout:write' },
          errorCodes: CANCEL_ERRORS,
        },
        schema: {
          tags,
          operationId: 'cancelBulkPayout',
          summary: 'Call a bulk payout off',
          description: 'Possible until it is dispatched.',
          body: CancelBatchBody,
          response: answers(Success(BatchSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          cancelBatch(deps, {
            tenant: request.principal.tenant,
            batchReference: request.body.batchReference,
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}

export function batchReadRoutes(deps: BatchDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/bulk',
      {
        config: { access: read, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags,
          operationId: 'listBulkPayouts',
          summary: 'List bulk payouts, newest first',
          description: 'With counts by state; items have a list of their own.',
          querystring: ListBatchesQuery,
          response: answers(Success(ListPage(ListedBatchSchema))),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const page = await readBatches(deps.database, tenant, request.query.status, {
          ...listRequest(request.query),
          gone: goneSignal(reply),
        });
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/payout/bulk/:batchReference',
      {
        config: { access: read, errorCodes: ['BATCH_NOT_FOUND'] },
        schema: {
          tags,
          operationId: 'getBulkPayout',
          summary: 'One bulk payout with counts, totals and quote',
          description: 'Read it until it is `conclusive`, or wait for its events.',
          params: BatchParams,
          response: answers(Success(BatchSummarySchema)),
        },
      },
      async (request, reply) => {
        const summary = await readBatch(deps, request.principal.tenant, request.params.batchReference);
        return sendAnswer(reply, success('Success', summary));
      },
    );
  };
}

/** The outcome of a dispatched batch. */
export function outcomeRoutes(deps: BatchDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/bulk/:batchReference/outcome',
      {
        config: { access: read, errorCodes: ['BATCH_NOT_FOUND'] },
        schema: {
          tags,
          operationId: 'getBulkPayoutOutcome',
          summary: 'What became of a bulk payout, and what left the wallet',
          description: 'All figures are of one moment, also while payouts are under way.',
          params: BatchParams,
          response: answers(Success(OutcomeSchema)),
        },
      },
      async (request, reply) => {
        const outcome = await readOutcome(deps.database, request.principal.tenant, request.params.batchReference);
        return sendAnswer(reply, success('Success', outcome));
      },
    );
  };
}

const CHANGE_ERRORS = [
  'BATCH_ITEM_NOT_FOUND',
  'BATCH_VALIDATING',
  'BATCH_ALREADY_DISPATCHED',
  'BATCH_ALREADY_CANCELLED',
  'BATCH_EXPIRED',
  'BATCH_CHANGED',
  'BATCH_ACTION_RUNNING',
  'APPROVAL_MOVED_ON',
  'APPROVAL_SUBJECT_ALTERED',
];

export function itemRoutes(deps: BatchDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/bulk/:batchReference/item',
      {
        config: { access: read, errorCodes: ['BATCH_NOT_FOUND', 'SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags,
          operationId: 'listBulkPayoutItems',
          summary: 'The items of a bulk payout, as they were given',
          description: 'Filter by validity, warnings, the group of a problem, or what became of them.',
          params: BatchParams,
          querystring: ListItemsQuery,
          response: answers(Success(ItemListPage)),
        },
      },
      async (request, reply) => {
        const { order, ...filter } = request.query;
        const wanted = { ...filter, batchReference: request.params.batchReference, byMatch: order === 'MATCH' };
        const asked = { ...listRequest(request.query), gone: goneSignal(reply) };
        const page = await readItems(deps.database, request.principal.tenant, wanted, asked);
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/payout/bulk/:batchReference/item/:id',
      {
        config: {
          access: read,
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
        bodyLimit: MAX_ITEM_BYTES,
        config: { access: write, errorCodes: [...CHANGE_ERRORS, 'BATCH_ITEM_CHANGED'] },
        schema: {
          tags,
          operationId: 'updateBulkPayoutItem',
          summary: 'Update one item of a bulk payout',
          description: 'Corrected as in a list, and validated again; an approval that waits is void.',
          body: UpdateItemBody,
          response: answers(Success(UpdatedItemPage)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { bulkPayoutItemId: itemId, seen, ...changes } = request.body;
          const { tenant } = request.principal;
          return updateItem(deps, { tenant, itemId, changes, seen, idempotency: request.idempotency });
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
