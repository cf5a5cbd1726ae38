import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../access/index.ts';
import { parseAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { goneSignal } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { type DebitStoreDeps, debitStore } from './debit-store.ts';
import {
  CreateStoreBody,
  DebitStoreBody,
  ListStoresQuery,
  StoreDebitSchema,
  StoreParams,
  StoreSchema,
} from './schemas.ts';
import { type CreateStoreDeps, createStore, type ReadStoresDeps, readStore, readStores } from './store.ts';

const read = { scope: 'store:read' } as const;

export function storeRoutes(deps: CreateStoreDeps & DebitStoreDeps & ReadStoresDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/branch/store/debit',
      {
        config: {
          access: { scope: 'store:write', service: 'BRANCH', pin: true },
          errorCodes: ['STORE_NOT_FOUND', 'INSUFFICIENT_FUNDS'],
        },
        schema: {
          tags: ['Stores'],
          operationId: 'debitStore',
          summary: 'Debit a store wallet into the merchant wallet',
          description: "Moves the amount at once from the store's wallet to the merchant wallet.",
          body: DebitStoreBody,
          response: answers(Success(StoreDebitSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () =>
          debitStore(deps, {
            tenant: request.principal.tenant,
            storeId: request.body.storeId,
            amountMinor: parseAmount(request.body.amount),
            narration: request.body.narration,
            idempotency: request.idempotency,
          }),
        ),
    );
    app.post(
      '/branch/store',
      {
        config: { access: { scope: 'store:write', service: 'BRANCH' } },
        schema: {
          tags: ['Stores'],
          operationId: 'createStore',
          summary: 'Open a store with a wallet of its own',
          description: 'The store has an account number of its own from the start.',
          body: CreateStoreBody,
          response: answers(Success(StoreSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          createStore(deps, {
            tenant: request.principal.tenant,
            merchantName: request.principal.merchant.businessName,
            name: request.body.name,
            idempotency: request.idempotency,
          }),
        ),
    );
    app.get(
      '/branch/store',
      {
        config: { access: read, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags: ['Stores'],
          operationId: 'listStores',
          summary: 'List stores, newest first',
          description: 'With the balances of each, all of one moment.',
          querystring: ListStoresQuery,
          response: answers(Success(ListPage(StoreSchema))),
        },
      },
      async ({ query, principal }, reply) => {
        const asked = { ...listRequest(query), search: query.search, gone: goneSignal(reply) };
        return sendAnswer(reply, success('Success', await readStores(deps, principal.tenant, asked)));
      },
    );
    app.get(
      '/branch/store/:storeId',
      {
        config: { access: read, errorCodes: ['STORE_NOT_FOUND'] },
        schema: {
          tags: ['Stores'],
          operationId: 'getStore',
          summary: 'One store with its balances',
          description: 'Booked and available balance are of one moment.',
          params: StoreParams,
          response: answers(Success(StoreSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readStore(deps, request.principal.tenant, request.params.storeId))),
    );
  };
}
