import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import type { Database } from '../platform/db/database.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { exportReserves, type ReserveFilter, readReserves } from './read-reserves.ts';
import {
  ListReservesQuery,
  type ReserveFilterQuery,
  ReservePage,
  ReserveQuery,
  ReserveSchema,
  ReservesCsvQuery,
} from './schemas.ts';
import { readReserve } from './views.ts';

export function reserveRoutes({ database }: { database: Database }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/collection/reserve',
      {
        config: { access: { scope: 'collection:read' } },
        schema: {
          tags: ['Collections'],
          operationId: 'getCollectionReserve',
          summary: 'What is kept of payments that came in, and when it comes back',
          description:
            'The operator may keep a part of payments, such as those by card, against chargebacks for some days. It is ' +
            'yours: it moves from the wallet with the credit and comes back by itself on its day.',
          querystring: ReserveQuery,
          response: answers(Success(ReserveSchema)),
        },
      },
      async (request, reply) => {
        const found = await readReserve(database, request.principal.tenant, request.query.walletId);
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.get(
      '/collection/reserve/payment',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags: ['Collections'],
          operationId: 'listReserves',
          summary: 'What is kept of each payment, and on which day it comes back',
          description: 'Of the newest payment first. Without a filter, what came back already is in it too.',
          querystring: ListReservesQuery,
          response: answers(Success(ReservePage)),
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const asked = { ...listRequest(query), gone: goneSignal(reply) };
        const page = await readReserves(database, principal.tenant, filterOf(query), asked);
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/collection/reserve/payment.csv',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['EXPORTS_BUSY', 'EXPORT_TOO_LARGE'] },
        schema: {
          tags: ['Collections'],
          operationId: 'downloadReserves',
          summary: 'What is kept of each payment, as CSV',
          description: 'All that match, in the order of the list, amounts in naira.',
          querystring: ReservesCsvQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const chosen = { columns: query.columns, gone: goneSignal(reply) };
        const file = await exportReserves(database, principal.tenant, filterOf(query), chosen);
        return sendExport(reply, 'reserves.csv', file);
      },
    );
  };
}

const filterOf = ({ walletId, status }: ReserveFilterQuery): ReserveFilter => ({ walletId, status });
