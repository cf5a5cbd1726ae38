import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../access/index.ts';
import { BatchParams, BatchSchema } from '../batches/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { RAIL_ERRORS } from '../rail-accounts/index.ts';
import { retryBatch } from './retry-batch.ts';

/** The list of what another list did not pay. */
export function retryRoutes(deps: PayoutDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/payout/bulk/:batchReference/retry-list',
      {
        config: {
          access: { scope: 'payout:write', service: 'PAYOUT' },
          errorCodes: [
            'BATCH_NOT_FOUND',
            'BATCH_NOTHING_TO_RETRY',
            'BATCH_RETRIED_MEANWHILE',
            'UPLOAD_ABANDONED',
            ...RAIL_ERRORS,
          ],
        },
        schema: {
          tags: ['Bulk payouts'],
          operationId: 'retryBulkPayout',
          summary: 'A new bulk payout of the payouts that failed or were returned',
          description:
            'It is validated and dispatched as any other. Payouts whose outcome is not known are not in it, nor what is in ' +
            'such a list already.',
          params: BatchParams,
          response: answers(Success(BatchSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { batchReference } = request.params;
          const { tenant } = request.principal;
          return retryBatch(deps, { tenant, batchReference, idempotency: request.idempotency });
        }),
    );
  };
}
