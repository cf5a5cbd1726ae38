import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readMerchantNames } from '../../merchants/index.ts';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import { listRequest } from '../../platform/lists/list.ts';
import { listView } from '../../platform/lists/read-list.ts';
import { ListPage } from '../../platform/lists/schemas.ts';
import { readFailingEndpoints } from '../../webhooks/index.ts';
import type { OperatorDeps } from '../deps.ts';
import { FailingEndpointSchema, ListFailingQuery } from './schemas.ts';
import { failingEndpointView } from './views.ts';

export function webhookRoutes({ database }: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/webhook/failing',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: ['Operator: webhooks'],
          operationId: 'listFailingWebhooks',
          summary: 'Webhook addresses that do not take what they are told, what waits longest first',
          querystring: ListFailingQuery,
          response: answers(Success(ListPage(FailingEndpointSchema))),
        },
      },
      async (request, reply) => {
        const found = await readFailingEndpoints(database, listRequest(request.query));
        const names = await readMerchantNames(
          database,
          found.rows.map(({ merchant_id }) => merchant_id),
        );
        return sendAnswer(
          reply,
          success(
            'Success',
            listView(found, (row) => failingEndpointView(row, names)),
          ),
        );
      },
    );
  };
}
