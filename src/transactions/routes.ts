import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { CountedPage } from '../platform/http/counted-page.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, pageRequest, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { readTransactions, requireTransaction } from './list-transactions.ts';
import { type EvidenceParts, readEvidence } from './read-evidence.ts';
import { EvidenceSchema, ListTransactionsQuery, TransactionParams, TransactionSchema } from './schemas.ts';
import { transactionView } from './views.ts';

export interface TransactionRoutesDeps {
  database: Database;
  clock: Clock;
  evidenceParts?: EvidenceParts;
}

export function transactionRoutes(deps: TransactionRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/transaction',
      {
        config: { access: { scope: 'transaction:read' } },
        schema: {
          tags: ['Transactions'],
          summary: 'List transactions, newest first',
          querystring: ListTransactionsQuery,
          response: answers(Success(CountedPage(TransactionSchema))),
        },
      },
      async (request, reply) => {
        const { from, to, page, size, ...filter } = request.query;
        const search = { ...filter, ...parsePeriod(request.query) };
        const { tenant } = request.principal;
        const found = await readTransactions(deps, tenant, search, pageRequest(request.query));
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.get(
      '/transaction/:transactionId',
      {
        config: { access: { scope: 'transaction:read' } },
        schema: {
          tags: ['Transactions'],
          summary: 'One transaction',
          params: TransactionParams,
          response: answers(Success(TransactionSchema)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const row = await requireTransaction(deps.database, tenant, request.params.transactionId);
        return sendAnswer(reply, success('Success', transactionView(row)));
      },
    );
    app.get(
      '/transaction/:transactionId/evidence',
      {
        config: { access: { scope: 'transaction:read' } },
        schema: {
          tags: ['Transactions'],
          summary: 'Everything known about one transaction',
          description:
            'Its transfers, the states it went through, the events that told of it and, for a payout, every attempt.',
          params: TransactionParams,
          response: answers(Success(EvidenceSchema)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const evidence = await readEvidence(deps, tenant, request.params.transactionId);
        return sendAnswer(reply, success('Success', evidence));
      },
    );
  };
}
