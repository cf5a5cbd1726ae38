import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { DifferenceItemSchema, DifferenceQuery, DifferenceSchema, ListDifferencesQuery } from './difference-schemas.ts';
import { createBatchDifferences, type DifferenceDeps, readDifference, readDifferences } from './read-difference.ts';
import { BatchParams } from './schemas.ts';

const tags = ['Bulk payouts'];
const access = { scope: 'payout:read', service: 'PAYOUT' } as const;

/** What differs between an earlier list and another. */
export function differenceRoutes({ database }: Pick<DifferenceDeps, 'database'>): FastifyPluginAsyncTypebox {
  const deps: DifferenceDeps = { database, differences: createBatchDifferences() };
  return async (app) => {
    app.get(
      '/payout/bulk/:batchReference/difference',
      {
        config: { access, errorCodes: ['BATCH_NOT_FOUND'] },
        schema: {
          tags,
          operationId: 'getBulkPayoutDifference',
          summary: 'What differs between a bulk payout and an earlier one',
          description:
            'People who are new or gone, amounts and accounts that have changed, with counts and sums. Compared by bank and ' +
            'account number, then by name.',
          params: BatchParams,
          querystring: DifferenceQuery,
          response: answers(Success(DifferenceSchema)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const { batchReference } = request.params;
        const found = await readDifference(deps, { tenant, batchReference, to: request.query.to });
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.get(
      '/payout/bulk/:batchReference/difference/item',
      {
        config: { access, errorCodes: ['BATCH_NOT_FOUND', 'BATCH_NOTHING_TO_COMPARE'] },
        schema: {
          tags,
          operationId: 'listBulkPayoutDifferences',
          summary: 'The accounts that differ between a bulk payout and an earlier one',
          description: 'Changed accounts first, then what is not clear. Filter by `kind`.',
          params: BatchParams,
          querystring: ListDifferencesQuery,
          response: answers(Success(ListPage(DifferenceItemSchema))),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const { to, kind } = request.query;
        const wanted = { tenant, batchReference: request.params.batchReference, to, kind };
        return sendAnswer(reply, success('Success', await readDifferences(deps, wanted, listRequest(request.query))));
      },
    );
  };
}
