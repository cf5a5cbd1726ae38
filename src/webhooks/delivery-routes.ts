import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerQuestion } from '../access/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { type ReplayDeps, readDeliveries, readDelivery, replayDelivery } from './read-deliveries.ts';
import { DeliveryDetailSchema, DeliveryParams, DeliverySchema, ListDeliveriesQuery } from './schemas.ts';

export type DeliveryRoutesDeps = ReplayDeps & { ledger: Ledger };

export function deliveryRoutes(deps: DeliveryRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhook/delivery',
      {
        config: { access: { scope: 'webhook:read' } },
        schema: {
          tags: ['Webhooks'],
          operationId: 'listWebhookDeliveries',
          summary: 'What became of the delivery of each event, newest first',
          description: 'One for each event that was sent or is due, with the outcome of its last attempt.',
          querystring: ListDeliveriesQuery,
          response: answers(Success(ListPage(DeliverySchema))),
        },
      },
      async (request, reply) => {
        const { status, type } = request.query;
        const { tenant } = request.principal;
        const found = await readDeliveries(deps, tenant, { status, type }, listRequest(request.query));
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.get(
      '/webhook/delivery/:id',
      {
        config: { access: { scope: 'webhook:read' }, errorCodes: ['WEBHOOK_DELIVERY_NOT_FOUND'] },
        schema: {
          tags: ['Webhooks'],
          operationId: 'getWebhookDelivery',
          summary: 'One delivery, with what is sent and every call that was made',
          description: 'With the body as it is sent and every attempt: when, how long, what the receiver answered.',
          params: DeliveryParams,
          response: answers(Success(DeliveryDetailSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readDelivery(deps, request.principal.tenant, request.params.id))),
    );
    app.post(
      '/webhook/delivery/:id/replay',
      {
        config: {
          access: { scope: 'webhook:write' },
          errorCodes: ['WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_ENDPOINT_MISSING'],
        },
        schema: {
          tags: ['Webhooks'],
          operationId: 'replayWebhookDelivery',
          summary: 'Send an event again, with the same id and the same bytes',
          description:
            'For a receiver that was down for long or lost an event. The event keeps its id, so a receiver that knows it ignores it.',
          params: DeliveryParams,
          response: answers(Success(DeliverySchema)),
        },
      },
      (request, reply) =>
        answerQuestion(deps.ledger, request, reply, () =>
          replayDelivery(deps, request.principal.tenant, request.params.id),
        ),
    );
  };
}
