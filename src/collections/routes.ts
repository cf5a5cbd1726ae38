import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Success, wordsOf } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListTotalsSchema } from '../platform/lists/totals.ts';
import { amountsOf } from '../transactions/index.ts';
import type { InboundFilter, InboundStatus } from './queries.ts';
import {
  InboundCsvQuery,
  InboundDetailSchema,
  type InboundFilterQuery,
  InboundParams,
  InboundPaymentPage,
  InboundTotalsQuery,
  ListInboundQuery,
  PendingSchema,
} from './schemas.ts';
import {
  addUpInboundPayments,
  exportPayments,
  type PaymentReadDeps,
  type ReadRefundsOfPayment,
  readInboundPayment,
  readInboundPayments,
  readPending,
} from './views.ts';

export function collectionRoutes(
  deps: PaymentReadDeps & { readRefundsOfPayment: ReadRefundsOfPayment },
): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/collection/payment',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags: ['Collections'],
          operationId: 'listInboundPayments',
          summary: 'Payments that came in, newest first',
          description:
            'Each is one transfer that a provider confirmed: whole as the payer sent it, and what the operator took of it.',
          querystring: ListInboundQuery,
          response: answers(Success(InboundPaymentPage)),
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const asked = { ...listRequest(query), gone: goneSignal(reply) };
        const page = await readInboundPayments(deps, principal.tenant, filterOf(query), asked);
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/collection/pending',
      {
        config: { access: { scope: 'collection:read' } },
        schema: {
          tags: ['Collections'],
          operationId: 'getPendingCollections',
          summary: 'What came in and waits for the provider’s settlement',
          description:
            'Payments with the status `PENDING_SETTLEMENT`, together. They are in no balance of a wallet before they are settled.',
          response: answers(Success(PendingSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readPending(database, request.principal.tenant))),
    );
    await addRoutes(app, wholeListRoutes(deps));
    app.get(
      '/collection/payment/:paymentId',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['INBOUND_PAYMENT_NOT_FOUND'] },
        schema: {
          tags: ['Collections'],
          operationId: 'getInboundPayment',
          summary: 'One payment that came in, with what confirmed it',
          description: 'The evidence is what the provider answered to our own question, and what made us ask.',
          params: InboundParams,
          response: answers(Success(InboundDetailSchema)),
        },
      },
      async (request, reply) => {
        const found = await readInboundPayment(deps, request.principal.tenant, request.params.paymentId);
        return sendAnswer(reply, success('Success', found));
      },
    );
  };
}

/** The routes for all payments of a filter: its file, and its totals. */
function wholeListRoutes(deps: PaymentReadDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/collection/payment.csv',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['EXPORTS_BUSY', 'EXPORT_TOO_LARGE'] },
        schema: {
          tags: ['Collections'],
          operationId: 'downloadInboundPayments',
          summary: 'Payments that came in, as CSV',
          description: 'All that match, in the order of the list, amounts in naira. Account numbers are text.',
          querystring: InboundCsvQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const file = await exportPayments(deps, principal.tenant, filterOf(query), {
          columns: query.columns,
          gone: goneSignal(reply),
        });
        return sendExport(reply, 'payments-in.csv', file);
      },
    );
    app.get(
      '/collection/payment/total',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags: ['Collections'],
          operationId: 'getInboundPaymentTotals',
          summary: 'What payments that came in come to, by status',
          description:
            'The filter is that of the list. Beyond 100,000 payments nothing is added up, and isComplete is false.',
          querystring: InboundTotalsQuery,
          response: answers(Success(ListTotalsSchema)),
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const found = await addUpInboundPayments(deps, principal.tenant, filterOf(query), goneSignal(reply));
        return sendAnswer(reply, success('Success', found));
      },
    );
  };
}

function filterOf(query: InboundFilterQuery): InboundFilter {
  const { walletId, customerId, channel, payer, order } = query;
  return {
    ...{ walletId, customerId, channel, payer, order },
    statuses: wordsOf<InboundStatus>(query.status),
    ...amountsOf(query),
    ...parsePeriod(query),
  };
}
