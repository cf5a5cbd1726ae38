import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerQuestion } from '../access/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Page, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listBanks } from './list-banks.ts';
import { type ResolveAccountDeps, resolveAccount } from './resolve-account.ts';
import {
  BankSchema,
  DEFAULT_DIRECTORY_SIZE,
  ListBanksQuery,
  ResolveAccountBody,
  ResolvedAccountSchema,
  ScenarioHeader,
} from './schemas.ts';

export type BankRoutesDeps = ResolveAccountDeps & { ledger: Ledger };

export function bankRoutes(deps: BankRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/bank',
      {
        config: { access: { scope: 'public:read', beforeApproval: true } },
        schema: {
          tags: ['Banks'],
          summary: 'The banks that payouts go to, by name',
          querystring: ListBanksQuery,
          response: answers(Success(Page(BankSchema))),
        },
      },
      async (request, reply) => {
        const { page = 1, size = DEFAULT_DIRECTORY_SIZE, search } = request.query;
        return sendAnswer(reply, success('Success', await listBanks(deps.banks, search, { page, size })));
      },
    );
    app.post(
      '/bank/resolve',
      {
        config: { access: { scope: 'bank:resolve' } },
        schema: {
          tags: ['Banks'],
          summary: 'Ask a bank for the name on an account',
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
