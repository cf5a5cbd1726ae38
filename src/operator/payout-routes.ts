import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import type { OperatorDeps } from './deps.ts';
import { FoundPayoutsSchema, PayoutCaseSchema, PayoutReferenceParams, SearchPayoutsQuery } from './payout-schemas.ts';
import { readFoundPayouts, readPayoutCase } from './payout-views.ts';

const TAGS = ['Operator: payouts'];

/** Payouts of all merchants, and everything that is known of one. */
export function operatorPayoutRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/payout',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'searchPayouts',
          summary: 'Payouts of all merchants, newest first',
          description: 'It is seconds behind: a worker writes down where each payout is found.',
          querystring: SearchPayoutsQuery,
          response: answers(Success(FoundPayoutsSchema)),
        },
      },
      async (request, reply) => {
        const page = await readFoundPayouts(deps, request.query, listRequest(request.query));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/operator/payout/:reference',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'getPayoutCase',
          summary: 'All that is known of one payout, whoever’s it is: calls and answers, books, approvals, decisions',
          params: PayoutReferenceParams,
          response: answers(Success(PayoutCaseSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readPayoutCase(deps, request.params.reference))),
    );
  };
}
