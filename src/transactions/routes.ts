import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Success, wordsOf } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { isUuid } from '../platform/ids.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { ListTotalsSchema } from '../platform/lists/totals.ts';
import {
  addUpTransactions,
  amountsOf,
  type EvidenceParts,
  exportTransactions,
  readEvidence,
  readTransactions,
  requireDetailed,
  type TransactionReadDeps,
  type TransactionSearch,
  transactionColumns,
} from './list-transactions.ts';
import {
  EvidenceSchema,
  ListTransactionsQuery,
  type TransactionFilterQuery,
  TransactionParams,
  TransactionSchema,
  TransactionTotalsQuery,
  transactionsCsvQuery,
} from './schemas.ts';
import type { TransactionStatus } from './transaction.ts';
import { detailedView } from './views.ts';

export interface TransactionRoutesDeps extends TransactionReadDeps {
  evidenceParts?: EvidenceParts;
}

export function transactionRoutes(deps: TransactionRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/transaction',
      {
        config: { access: { scope: 'transaction:read' }, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
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
        const search = searchOf(request.query);
        const asked = { ...requestOf(request.query), gone: goneSignal(reply) };
        const found = await readTransactions(deps, request.principal.tenant, search, asked);
        return sendAnswer(reply, success('Success', found));
      },
    );
    await addRoutes(app, wholeListRoutes(deps));
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

/** Routes about all transactions of a filter: their totals, and their file. */
function wholeListRoutes(deps: TransactionRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/transaction/total',
      {
        config: { access: { scope: 'transaction:read' }, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags: ['Transactions'],
          operationId: 'getTransactionTotals',
          summary: 'What transactions come to, by status',
          description:
            'The filter is that of the list. Beyond 100,000 transactions nothing is added up, and isComplete is false.',
          querystring: TransactionTotalsQuery,
          response: answers(Success(ListTotalsSchema)),
        },
      },
      async (request, reply) => {
        const found = await addUpTransactions(
          deps,
          request.principal.tenant,
          searchOf(request.query),
          goneSignal(reply),
        );
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.get(
      '/transaction.csv',
      {
        config: { access: { scope: 'transaction:read' }, errorCodes: ['EXPORTS_BUSY', 'EXPORT_TOO_LARGE'] },
        schema: {
          tags: ['Transactions'],
          operationId: 'downloadTransactions',
          summary: 'Transactions, as CSV',
          description: 'All that match, in the order of the list, amounts in naira. Account numbers are text.',
          querystring: transactionsCsvQuery(transactionColumns(deps.details)),
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { columns } = request.query;
        const file = await exportTransactions(deps, request.principal.tenant, searchOf(request.query), {
          columns,
          gone: goneSignal(reply),
        });
        return sendExport(reply, 'transactions.csv', file);
      },
    );
  };
}

function searchOf(query: TransactionFilterQuery): TransactionSearch {
  const { category, reference, accountNumber, counterparty, rail, batchReference, idempotencyKey, order } = query;
  return {
    ...{ category, reference, accountNumber, counterparty, rail, batchReference, idempotencyKey, order },
    statuses: wordsOf<TransactionStatus>(query.status),
    ...amountsOf(query),
    ...parsePeriod(query),
  };
}

/** Before there were cursors, `before` took the id of a transaction, with pages and totals. */
function requestOf(query: Static<typeof ListTransactionsQuery>) {
  const { before, ...paged } = query;
  if (before === undefined || !isUuid(before)) return listRequest(query);
  return { ...listRequest(paged), olderThan: before };
}
