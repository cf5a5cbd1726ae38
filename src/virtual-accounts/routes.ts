import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { answerCommand } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { readWalletAccounts } from './read-accounts.ts';
import { type RequestAccountDeps, requestAccount } from './request-account.ts';
import { AccountRequestSchema, WalletAccountsSchema } from './schemas.ts';

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
          description: 'Of any wallet: main, store or subaccount. What is still being opened is shown with its state.',
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
          access: { scope: 'collection:write' },
          errorCodes: ['WALLET_NOT_FOUND', 'WALLET_PROVIDER_NOT_SET'],
        },
        schema: {
          tags: ['Collections'],
          operationId: 'requestWalletAccount',
          summary: 'Ask for an account number of a wallet again',
          description:
            'Wallets get account numbers by themselves. This asks the provider again where it refused, for example after you gave a BVN.',
          body: Type.Object(
            { walletId: Uuid('Any wallet of yours: main, store or subaccount.') },
            { additionalProperties: false },
          ),
          response: answers(Success(AccountRequestSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          requestAccount(deps, {
            tenant: request.principal.tenant,
            walletId: request.body.walletId,
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}
