import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import type { OperatorDeps } from '../deps.ts';
import type { Verification } from '../verification/verification.ts';
import { readOverview } from './read-overview.ts';
import { OverviewSchema } from './schemas.ts';

export function overviewRoutes(deps: OperatorDeps, verification: Verification): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/overview',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: ['Operator: overview'],
          operationId: 'getOperatorOverview',
          summary: 'What waits for the operator',
          response: answers(Success(OverviewSchema)),
        },
      },
      async (request, reply) => {
        const [counts, last, booksWrong] = await Promise.all([
          readOverview(deps, request.operator.personId),
          verification.readLast(),
          verification.areBooksWrong(),
        ]);
        const lastVerify = last && { state: last.state, startedAt: last.startedAt, finishedAt: last.finishedAt };
        return sendAnswer(reply, success('Success', { ...counts, booksWrong, lastVerify }));
      },
    );
  };
}
