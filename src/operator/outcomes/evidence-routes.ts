import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import type { OperatorDeps } from '../deps.ts';
import { readEvidenceOf } from './read-outcomes.ts';
import { EvidenceParams, EvidenceQuery, OutcomeEvidenceSchema } from './schemas.ts';

/** What was said about a payout, by whom and when, so that two people can decide. */
export function outcomeEvidenceRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/outcome/:payoutId/evidence',
      {
        config: { access: { operator: true } },
        schema: {
          tags: ['Operator: outcomes'],
          operationId: 'getPayoutEvidence',
          summary: 'All that is known of a payout: every call, notice, line of a file and proposal',
          params: EvidenceParams,
          querystring: EvidenceQuery,
          response: answers(Success(OutcomeEvidenceSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readEvidenceOf(deps, request.query, request.params.payoutId))),
    );
  };
}
