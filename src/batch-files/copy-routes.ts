import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../access/index.ts';
import { BatchParams } from '../batches/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { RAIL_ERRORS } from '../rail-accounts/index.ts';
import { repeatBatch, retryBatch } from './copy-batch.ts';
import { CreatedBatchSchema, RepeatBatchBody } from './schemas.ts';

const access = { scope: 'payout:write', service: 'PAYOUT' } as const;
const tags = ['Bulk payouts'];

/** Lists that are made from an earlier one: of the payments that failed, or of all of them again. */
export function copyRoutes(deps: PayoutDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/payout/bulk/:batchReference/retry-list',
      {
        config: {
          access,
          errorCodes: [
            'BATCH_NOT_FOUND',
            'BATCH_NOTHING_TO_RETRY',
            'BATCH_RETRIED_MEANWHILE',
            'UPLOAD_ABANDONED',
            'UPLOADS_BUSY',
            ...RAIL_ERRORS,
          ],
        },
        schema: {
          tags,
          operationId: 'retryBulkPayout',
          summary: 'A new bulk payout of the payouts that failed or were returned',
          description:
            'It is validated and dispatched as any other. Payouts whose outcome is not known are not in it, nor what is in ' +
            'such a list already.',
          params: BatchParams,
          response: answers(Success(CreatedBatchSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { batchReference } = request.params;
          const { tenant } = request.principal;
          return retryBatch(deps, { tenant, batchReference, idempotency: request.idempotency });
        }),
    );
    app.post(
      '/payout/bulk/:batchReference/repeat-list',
      {
        config: {
          access,
          errorCodes: ['BATCH_NOT_FOUND', 'BATCH_NOT_PAID', 'UPLOAD_ABANDONED', 'UPLOADS_BUSY', ...RAIL_ERRORS],
        },
        schema: {
          tags,
          operationId: 'repeatBulkPayout',
          summary: 'A new bulk payout to the same people as one that was paid',
          description:
            'Same accounts, amounts and phone numbers, such as the salaries of the next month. It is validated anew and ' +
            'dispatched as any other; `GET …/difference` says what was changed in it since.',
          params: BatchParams,
          body: RepeatBatchBody,
          response: answers(Success(CreatedBatchSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { batchReference } = request.params;
          const { tenant } = request.principal;
          const { narration } = request.body;
          return repeatBatch(deps, { tenant, batchReference, narration, idempotency: request.idempotency });
        }),
    );
  };
}
