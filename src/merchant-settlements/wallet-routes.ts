import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand, nameOfCaller } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import {
  ListWalletSettingsQuery,
  WalletParams,
  WalletSettingsBody,
  WalletSettingsPage,
  WalletSettingsSchema,
} from './schemas.ts';
import type { SettingsDeps } from './settings.ts';
import { changeWalletSettings, readSettingsOfWallet, readWalletSettings } from './wallet-settings.ts';

/** Which stores and subaccounts are settled to the bank, and what stays in their wallets. */
export function walletSettingsRoutes(deps: SettingsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/collection/settlement/wallet',
      {
        config: { access: { scope: 'collection:read' } },
        schema: {
          tags: ['Settlements'],
          operationId: 'listWalletSettlementSettings',
          summary: 'Stores and subaccounts whose settlements were set',
          description:
            'By default what they collect stays in them. One that is settled has settlements of its own, to the account that was reviewed, whenever the main wallet has its turn.',
          querystring: ListWalletSettingsQuery,
          response: answers(Success(WalletSettingsPage)),
        },
      },
      async ({ query, principal }, reply) => {
        const page = await readWalletSettings(deps.database, principal.tenant, listRequest(query));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/collection/settlement/wallet/:childWalletId',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['WALLET_NOT_FOUND'] },
        schema: {
          tags: ['Settlements'],
          operationId: 'getWalletSettlementSettings',
          summary: 'Whether a store or subaccount is settled to your bank',
          description: 'Only an owner of the business changes it, in the dashboard.',
          params: WalletParams,
          response: answers(Success(WalletSettingsSchema)),
        },
      },
      async ({ principal, params }, reply) =>
        sendAnswer(reply, success('Success', await readSettingsOfWallet(deps, principal.tenant, params.childWalletId))),
    );
    app.patch(
      '/collection/settlement/wallet/:childWalletId',
      {
        config: {
          access: { scope: null, permission: 'settlement:manage', stepUp: true, pin: true, audit: 'SETTINGS' },
          errorCodes: ['WALLET_NOT_FOUND', 'MERCHANT_SETTLEMENT_MOVED_ON'],
        },
        schema: {
          tags: ['Dashboard: settlements'],
          operationId: 'updateWalletSettlementSettings',
          summary: 'Say whether a store or subaccount is settled to the bank',
          description: 'What is left out stays. The first time says where its settlements begin: with that day.',
          params: WalletParams,
          body: WalletSettingsBody,
          response: answers(Success(WalletSettingsSchema)),
        },
      },
      (request, reply) => {
        const { pin: _pin, ...changes } = request.body;
        return answerCommand(deps.ledger, request, reply, () =>
          changeWalletSettings(deps, {
            tenant: request.principal.tenant,
            walletId: request.params.childWalletId,
            changes,
            by: nameOfCaller(request.principal),
            idempotency: request.idempotency,
          }),
        );
      },
    );
  };
}
