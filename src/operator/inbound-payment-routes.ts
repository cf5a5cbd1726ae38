import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import type { OperatorDeps } from './deps.ts';
import {
  FoundInboundsSchema,
  InboundCaseParams,
  InboundCaseSchema,
  SearchInboundQuery,
} from './inbound-payment-schemas.ts';
import { readFoundCredits, readInboundCase } from './inbound-payment-views.ts';

const TAGS = ['Operator: money in'];

/** Payments in of all merchants, and everything that is known of one. */
export function operatorInboundRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/inbound-payment',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'searchInboundPayments',
          summary: 'Payments in of all merchants, newest first',
          querystring: SearchInboundQuery,
          response: answers(Success(FoundInboundsSchema)),
        },
      },
      async (request, reply) => {
        const page = await readFoundCredits(deps, request.query, listRequest(request.query));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/operator/inbound-payment/:paymentId',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'getInboundPaymentCase',
          summary: 'All that is known of one payment in, whoever’s it is: answers, session, books, settlement',
          params: InboundCaseParams,
          response: answers(Success(InboundCaseSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readInboundCase(deps, request.params.paymentId))),
    );
  };
}
