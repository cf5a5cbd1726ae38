import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { answerQuestion } from '../access/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { listBanks, NAME_ENQUIRY_ERRORS, type ResolveAccountDeps, resolveAccount } from './resolve-account.ts';
import {
  BankSchema,
  DEFAULT_DIRECTORY_SIZE,
  ListBanksQuery,
  ResolveAccountBody,
  ResolvedAccountSchema,
  ScenarioHeader,
} from './schemas.ts';

export type BankRoutesDeps = ResolveAccountDeps & {
  ledger: Ledger;
  /** Lets a page with a public key read the answer, where its merchant allowed its origin. */
  forBrowsers: {
    onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void>;
    onSend: onSendHookHandler;
  };
};

export function bankRoutes(deps: BankRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/bank',
      {
        ...deps.forBrowsers,
        config: { access: { scope: 'public:read', beforeApproval: true } },
        schema: {
          tags: ['Banks'],
          operationId: 'listBanks',
          summary: 'The banks that payouts go to, by name',
          description: 'Their codes are what payouts and name enquiries take. A public key may read them.',
          querystring: ListBanksQuery,
          response: answers(Success(ListPage(BankSchema))),
        },
      },
      async (request, reply) => {
        const { query } = request;
        const found = await listBanks(deps.banks, query.search, listRequest(query, DEFAULT_DIRECTORY_SIZE));
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.post(
      '/bank/resolve',
      {
        config: {
          access: { scope: 'bank:resolve' },
          errorCodes: NAME_ENQUIRY_ERRORS,
        },
        schema: {
          tags: ['Banks'],
          operationId: 'resolveAccount',
          summary: 'Ask a bank for the name on an account',
          description: 'Show people the name before they pay. Nothing moves.',
          headers: ScenarioHeader,
          body: ResolveAccountBody,
          response: answers(Success(ResolvedAccountSchema)),
        },
      },
      (request, reply) =>
        answerQuestion(deps.ledger, request, reply, () =>
          resolveAccount(deps, {
            tenant: request.principal.tenant,
            bankCode: request.body.bankCode,
            accountNumber: request.body.accountNumber,
            scenario: request.headers['x-sandbox-scenario'],
          }),
        ),
    );
  };
}
