import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { success } from '../platform/answer.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { isUuid } from '../platform/ids.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { detailedView } from './details.ts';
import { readTransactions, requireDetailed, type TransactionReadDeps } from './list-transactions.ts';
import { type EvidenceParts, readEvidence } from './read-evidence.ts';
import { EvidenceSchema, ListTransactionsQuery, TransactionParams, TransactionSchema } from './schemas.ts';

export interface TransactionRoutesDeps extends TransactionReadDeps {
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
          operationId: 'listTransactions',
          summary: 'List transactions, newest first',
          description: 'Everything that moved or was to move, of every kind. All filters that are given must hold.',
          querystring: ListTransactionsQuery,
          response: answers(Success(ListPage(TransactionSchema))),
        },
      },
      async (request, reply) => {
        const { status, category, reference, accountNumber, batchReference, idempotencyKey } = request.query;
        const given = { status, category, reference, accountNumber, batchReference, idempotencyKey };
        const search = { ...given, ...parsePeriod(request.query) };
        const found = await readTransactions(deps, request.principal.tenant, search, requestOf(request.query));
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.get(
      '/transaction/:transactionId',
      {
        config: { access: { scope: 'transaction:read' }, errorCodes: ['TRANSACTION_NOT_FOUND'] },
        schema: {
          tags: ['Transactions'],
          operationId: 'getTransaction',
          summary: 'One transaction',
          description: 'Of a payout, every field that the answer to it and its events have.',
          params: TransactionParams,
          response: answers(Success(TransactionSchema)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const row = await requireDetailed(deps.database, deps.details, tenant, request.params.transactionId);
        return sendAnswer(reply, success('Success', detailedView(row, deps.details)));
      },
    );
    app.get(
      '/transaction/:transactionId/evidence',
      {
        config: { access: { scope: 'transaction:read' }, errorCodes: ['TRANSACTION_NOT_FOUND'] },
        schema: {
          tags: ['Transactions'],
          operationId: 'getTransactionEvidence',
          summary: 'Everything known about one transaction',
          description: 'Its transfers, the states it went through, its events and, for a payout, every attempt.',
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

/** Before there were cursors, `before` took the id of a transaction, with pages and totals. */
function requestOf(query: Static<typeof ListTransactionsQuery>) {
  const { before, ...paged } = query;
  if (before === undefined || !isUuid(before)) return listRequest(query);
  return { ...listRequest(paged), olderThan: before };
}
