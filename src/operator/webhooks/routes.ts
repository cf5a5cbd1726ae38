import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readMerchantNames } from '../../merchants/index.ts';
import { success } from '../../platform/answer.ts';
import { answers, offsetOf, Page, pageRequest, pageView, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import { countFailing, readFailingEndpoints } from '../../webhooks/index.ts';
import type { OperatorDeps } from '../deps.ts';
import { FailingEndpointSchema, ListFailingQuery } from './schemas.ts';
import { failingEndpointView } from './views.ts';

export function webhookRoutes({ database }: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/webhook/failing',
      {
        config: { access: { operator: true } },
        schema: {
          tags: ['Operator: webhooks'],
          summary: 'Webhook addresses that do not take what they are told, what waits longest first',
          querystring: ListFailingQuery,
          response: answers(Success(Page(FailingEndpointSchema))),
        },
      },
      async (request, reply) => {
        const page = pageRequest(request.query);
        const [total, rows] = await Promise.all([
          countFailing(database),
          readFailingEndpoints(database, { offset: offsetOf(page), limit: page.size }),
        ]);
        const names = await readMerchantNames(
          database,
          rows.map(({ merchant_id }) => merchant_id),
        );
        const records = rows.map((row) => failingEndpointView(row, names));
        return sendAnswer(reply, success('Success', pageView(page, total, records)));
      },
    );
  };
}
