import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerQuestion } from '../access/index.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { createBulkDeps } from './bulk/bulk-deps.ts';
import { downloadRoutes } from './bulk/downloads/routes.ts';
import { intakeRoutes } from './bulk/intake/routes.ts';
import { itemRoutes } from './bulk/items/routes.ts';
import { batchReadRoutes, batchRoutes } from './bulk/routes.ts';
import type { PayoutDeps } from './deps.ts';
import { limitRoutes } from './limits/routes.ts';
import { requeryTransaction } from './pipeline/requery-transaction.ts';
import { PayoutSchema, RequeryBody } from './schemas.ts';
import { singlePayoutRoutes } from './single/routes.ts';
import { scheduleRoutes } from './single/schedule-routes.ts';

/** Everything under `/payout`, and the requery of a transaction. */
export function payoutRoutes(deps: PayoutDeps): FastifyPluginAsyncTypebox {
  const bulk = createBulkDeps(deps);
  return async (app) => {
    await app.register(singlePayoutRoutes(deps));
    await app.register(scheduleRoutes(deps));
    await app.register(limitRoutes(deps));
    await app.register(intakeRoutes(deps));
    await app.register(downloadRoutes(deps));
    await app.register(batchRoutes(bulk));
    await app.register(batchReadRoutes(bulk));
    await app.register(itemRoutes(bulk));
    app.post(
      '/transaction/requery',
      {
        config: {
          access: { scope: 'transaction:requery' },
          errorCodes: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_ALREADY_COMPLETED'],
        },
        schema: {
          tags: ['Transactions'],
          operationId: 'requeryTransaction',
          summary: 'Requery a payout transaction',
          description:
            'Asks the bank now what became of a payout under way. By `transactionId` or by your `reference`.',
          body: RequeryBody,
          response: answers(Success(PayoutSchema)),
        },
      },
      (request, reply) =>
        answerQuestion(deps.ledger, request, reply, () =>
          requeryTransaction(deps, request.principal.tenant, request.body),
        ),
    );
  };
}
