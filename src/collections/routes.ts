import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import type { Database } from '../platform/db/database.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { exportPayments } from './payments-csv.ts';
import { readInboundPayment, readInboundPayments, readPending } from './read-payments.ts';
import {
  InboundCsvQuery,
  InboundDetailSchema,
  InboundParams,
  InboundPaymentPage,
  ListInboundQuery,
  PendingSchema,
} from './schemas.ts';

export function collectionRoutes({ database }: { database: Database }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/collection/payment',
      {
        config: { access: { scope: 'collection:read' } },
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
        const { status, walletId, customerId } = request.query;
        const { tenant } = request.principal;
        const filter = { status, walletId, customerId };
        const page = await readInboundPayments(database, tenant, filter, listRequest(request.query));
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
    app.get(
      '/collection/payment.csv',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['EXPORTS_BUSY', 'EXPORT_TOO_LARGE'] },
        schema: {
          tags: ['Collections'],
          operationId: 'downloadInboundPayments',
          summary: 'Payments that came in, as CSV',
          description: 'All that match, newest first, amounts in naira. Account numbers are text.',
          querystring: InboundCsvQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { status, walletId, customerId } = request.query;
        const file = await exportPayments(database, request.principal.tenant, { status, walletId, customerId });
        return sendExport(reply, 'payments-in.csv', file);
      },
    );
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
        const found = await readInboundPayment(database, request.principal.tenant, request.params.paymentId);
        return sendAnswer(reply, success('Success', found));
      },
    );
  };
}
