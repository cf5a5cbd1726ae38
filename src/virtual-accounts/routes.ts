import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { answerCommand } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { invalidField } from '../platform/errors.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { closeAccount } from './close-account.ts';
import { readAccount, readAccounts, readWalletAccounts } from './read-accounts.ts';
import { type AccountAsked, type RequestAccountDeps, requestAccount } from './request-account.ts';
import {
  ListAccountsQuery,
  RequestAccountBody,
  VirtualAccountPage,
  VirtualAccountParams,
  VirtualAccountSchema,
  WalletAccountsSchema,
} from './schemas.ts';

const tags = ['Collections'];
const read = { scope: 'collection:read' } as const;
const write = { scope: 'collection:write' } as const;

export function virtualAccountRoutes(deps: RequestAccountDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/wallet/:walletId/account',
      {
        config: { access: { scope: 'wallet:read' }, errorCodes: ['WALLET_NOT_FOUND'] },
        schema: {
          tags: ['Wallets'],
          operationId: 'getWalletAccounts',
          summary: 'The account numbers that a wallet can be paid by',
          description:
            'Of any wallet: main, store or subaccount. What is still being opened is shown with its state. Those of customers are in GET /collection/account.',
          params: Type.Object({ walletId: Uuid('Any wallet of yours: main, store or subaccount.') }),
          response: answers(Success(WalletAccountsSchema)),
        },
      },
      async (request, reply) => {
        const found = await readWalletAccounts(deps, request.principal.tenant, request.params.walletId);
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.post(
      '/collection/account',
      {
        config: {
          access: write,
          errorCodes: ['WALLET_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'WALLET_PROVIDER_NOT_SET', 'CUSTOMER_DETAILS_MISSING'],
        },
        schema: {
          tags,
          operationId: 'requestAccount',
          summary: 'Ask for an account number of a customer, or of a wallet again',
          description:
            'With customerId: a number that this customer pays to for ever. Asked again, the same one answers. Without: wallets get numbers by themselves; this asks again where the provider refused. It is opened within seconds; read it until it is OPEN.',
          body: RequestAccountBody,
          response: answers(Success(VirtualAccountSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () => requestAccount(deps, askedOf(request, request.body))),
    );
    await addRoutes(app, accountRoutes(deps));
  };
}

function accountRoutes(deps: RequestAccountDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/collection/account',
      {
        config: { access: read, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags,
          operationId: 'listAccounts',
          summary: 'Account numbers of wallets and customers, newest first',
          description: 'By customer, wallet or state. What is not open yet, was refused or is closed is there too.',
          querystring: ListAccountsQuery,
          response: answers(Success(VirtualAccountPage)),
        },
      },
      async (request, reply) => {
        const { status, walletId, customerId } = request.query;
        const filter = { status, walletId, customerId };
        const page = await readAccounts(deps.database, request.principal.tenant, filter, listRequest(request.query));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/collection/account/:virtualAccountId',
      {
        config: { access: read, errorCodes: ['VIRTUAL_ACCOUNT_NOT_FOUND'] },
        schema: {
          tags,
          operationId: 'getAccount',
          summary: 'One account number of a wallet or a customer',
          description: 'With its state, and what a payer types.',
          params: VirtualAccountParams,
          response: answers(Success(VirtualAccountSchema)),
        },
      },
      async (request, reply) => {
        const { virtualAccountId } = request.params;
        const found = await readAccount(deps.database, request.principal.tenant, virtualAccountId);
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.post(
      '/collection/account/:virtualAccountId/close',
      {
        config: {
          access: write,
          errorCodes: [
            'VIRTUAL_ACCOUNT_NOT_FOUND',
            'VIRTUAL_ACCOUNT_NOT_OPEN',
            'VIRTUAL_ACCOUNT_ENDED',
            'VIRTUAL_ACCOUNT_OF_WALLET',
          ],
        },
        schema: {
          tags,
          operationId: 'closeAccount',
          summary: 'Close the account number of a customer',
          description:
            'For good: the provider is asked to close it too, and what still comes to it goes to suspense. A wallet’s own number is not closed.',
          params: VirtualAccountParams,
          response: answers(Success(VirtualAccountSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          closeAccount(deps, {
            tenant: request.principal.tenant,
            virtualAccountId: request.params.virtualAccountId,
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}

/** No service is asked for: a wallet is paid without one, and only a merchant with `COLLECTION` adds customers. @throws AppError `VALIDATION_FAILED` */
function askedOf(request: FastifyRequest, body: Static<typeof RequestAccountBody>): AccountAsked {
  const { walletId, customerId, bvn = null, nin = null } = body;
  const { tenant } = request.principal;
  if (customerId === undefined && (bvn !== null || nin !== null)) {
    throw invalidField(bvn === null ? 'nin' : 'bvn', 'is of a customer, and goes with a customerId');
  }
  const customer = customerId === undefined ? undefined : { id: customerId, identity: { bvn, nin } };
  return { tenant, walletId, customer, idempotency: request.idempotency };
}
