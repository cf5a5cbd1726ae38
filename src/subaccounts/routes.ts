import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { answerCommand } from '../access/index.ts';
import { parseAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { sourceOf } from '../platform/http/json-body.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { metadataText } from '../transactions/index.ts';
import { creditSubaccount, debitSubaccount, type SubaccountMoneyDeps } from './move-subaccount-money.ts';
import {
  CreateSubaccountBody,
  CreditSubaccountBody,
  DebitSubaccountBody,
  SubaccountCreditSchema,
  SubaccountDebitSchema,
  SubaccountParams,
  SubaccountSchema,
} from './schemas.ts';
import {
  type CreateSubaccountDeps,
  createSubaccount,
  type ReadSubaccountsDeps,
  readSubaccount,
  readSubaccounts,
} from './subaccount.ts';

export type SubaccountRoutesDeps = CreateSubaccountDeps & SubaccountMoneyDeps & ReadSubaccountsDeps;

export function subaccountRoutes(deps: SubaccountRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await addRoutes(app, moneyRoutes(deps), directoryRoutes(deps));
  };
}

function moneyRoutes(deps: SubaccountRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/subaccount/credit',
      {
        config: {
          access: { scope: 'subaccount:write', service: 'CHILD_ACCOUNT' },
          errorCodes: ['SUBACCOUNT_NOT_FOUND', 'INSUFFICIENT_FUNDS'],
        },
        schema: {
          tags: ['Subaccounts'],
          operationId: 'creditSubaccount',
          summary: 'Credit a subaccount from the merchant wallet',
          description: "Moves the amount at once from the merchant wallet to the subaccount's.",
          body: CreditSubaccountBody,
          response: answers(Success(SubaccountCreditSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () =>
          creditSubaccount(deps, {
            tenant: request.principal.tenant,
            subaccountId: request.body.subaccountId,
            amountMinor: parseAmount(request.body.amount),
            narration: request.body.narration,
            metadata: metadataText(request.body.metadata, sourceOf(request, 'metadata')),
            idempotency: request.idempotency,
          }),
        ),
    );
    app.post(
      '/subaccount/debit',
      {
        config: {
          access: { scope: 'subaccount:write', service: 'CHILD_ACCOUNT', pin: true },
          errorCodes: ['SUBACCOUNT_NOT_FOUND', 'INSUFFICIENT_FUNDS'],
        },
        schema: {
          tags: ['Subaccounts'],
          operationId: 'debitSubaccount',
          summary: 'Debit a subaccount into the merchant wallet',
          description: "Moves the amount at once from the subaccount's wallet to the merchant wallet.",
          body: DebitSubaccountBody,
          response: answers(Success(SubaccountDebitSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () =>
          debitSubaccount(deps, {
            tenant: request.principal.tenant,
            subaccountId: request.body.subaccountId,
            amountMinor: parseAmount(request.body.amount),
            narration: request.body.narration,
            metadata: metadataText(request.body.metadata, sourceOf(request, 'metadata')),
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}

function directoryRoutes(deps: SubaccountRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/subaccount',
      {
        config: { access: { scope: 'subaccount:write', service: 'CHILD_ACCOUNT' } },
        schema: {
          tags: ['Subaccounts'],
          operationId: 'createSubaccount',
          summary: 'Open a subaccount with a wallet of its own',
          description: 'The subaccount has an account number of its own from the start.',
          body: CreateSubaccountBody,
          response: answers(Success(SubaccountSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          createSubaccount(deps, {
            tenant: request.principal.tenant,
            merchantName: request.principal.merchant.businessName,
            name: request.body.name,
            idempotency: request.idempotency,
          }),
        ),
    );
    app.get(
      '/subaccount',
      {
        config: {
          access: { scope: 'subaccount:read' },
          errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'],
        },
        schema: {
          tags: ['Subaccounts'],
          operationId: 'listSubaccounts',
          summary: 'List subaccounts, newest first',
          description: 'With the balances of each, all of one moment.',
          querystring: Type.Object(listQuery(), { additionalProperties: false }),
          response: answers(Success(ListPage(SubaccountSchema))),
        },
      },
      async (request, reply) => {
        const page = await readSubaccounts(deps, request.principal.tenant, listRequest(request.query));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/subaccount/:subaccountId',
      {
        config: {
          access: { scope: 'subaccount:read' },
          errorCodes: ['SUBACCOUNT_NOT_FOUND'],
        },
        schema: {
          tags: ['Subaccounts'],
          operationId: 'getSubaccount',
          summary: 'One subaccount with its balances',
          description: 'Booked and available balance are of one moment.',
          params: SubaccountParams,
          response: answers(Success(SubaccountSchema)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        return sendAnswer(reply, success('Success', await readSubaccount(deps, tenant, request.params.subaccountId)));
      },
    );
  };
}
