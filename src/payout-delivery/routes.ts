import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerQuestion } from '../access/index.ts';
import { type PayoutDeps, PayoutSchema, RequeryBody } from '../payouts/index.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { requeryTransaction } from './requery-transaction.ts';

/** The requery of a transaction. */
export function requeryRoutes(deps: PayoutDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/transaction/requery',
      {
        config: {
          access: { scope: 'transaction:requery' },
          errorCodes: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_ALREADY_COMPLETED', 'REQUERY_TOO_OFTEN'],
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
