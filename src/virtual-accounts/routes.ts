import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import type { Database } from '../platform/db/database.ts';
import { answers, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import { readWalletAccounts } from './read-accounts.ts';
import { WalletAccountsSchema } from './schemas.ts';

export function virtualAccountRoutes(deps: {
  database: Database;
  wallets: WalletDirectory;
}): FastifyPluginAsyncTypebox {
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
  };
}
