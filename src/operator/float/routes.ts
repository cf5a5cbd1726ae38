import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import { listRequest } from '../../platform/lists/list.ts';
import { listView } from '../../platform/lists/read-list.ts';
import { readFloatChecks, readFloatStanding, reconcileFloat } from '../../reconciliation/index.ts';
import type { OperatorDeps } from '../deps.ts';
import { CheckedFloatSchema, CheckFloatBody, FloatSchema, ListFloatQuery } from './schemas.ts';
import { floatCheckView } from './views.ts';

const TAGS = ['Operator: float'];

export function floatRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/operator/float',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: TAGS,
          operationId: 'getFloat',
          summary: 'Where the rails’ balances stand against our books',
          querystring: ListFloatQuery,
          response: answers(Success(FloatSchema)),
        },
      },
      async (request, reply) => {
        const asked = listRequest(request.query);
        const [standing, found] = await database.snapshot((queries) =>
          Promise.all([readFloatStanding(queries), readFloatChecks(queries, asked)]),
        );
        const history = listView(found, floatCheckView);
        return sendAnswer(reply, success('Success', { standing: standing.map(floatCheckView), history }));
      },
    );
    app.post(
      '/operator/float/check',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'checkFloat',
          summary: 'Compare the rails’ balance with our books now, and keep the result',
          body: CheckFloatBody,
          response: answers(Success(CheckedFloatSchema)),
        },
      },
      async (request, reply) => {
        const { rails, mode, merchantId } = request.body;
        const { check, before } = await reconcileFloat(deps, {
          rails,
          mode,
          merchantId: merchantId ?? null,
          checkedBy: request.operator.email,
        });
        const data = { check: floatCheckView(check), before: before === undefined ? null : floatCheckView(before) };
        return sendAnswer(reply, success('The float is compared', data));
      },
    );
  };
}
