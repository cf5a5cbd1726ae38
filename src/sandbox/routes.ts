import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../access/index.ts';
import { parseAmount } from '../money/index.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { type AdvanceClockDeps, advanceClock } from './advance-clock.ts';
import { type FundWalletDeps, fundWallet, type PayAccountDeps, payAccount } from './fund-wallet.ts';
import {
  AdvanceClockBody,
  AdvanceSchema,
  FundingSchema,
  FundWalletBody,
  PayAccountBody,
  SandboxPaymentSchema,
  SandboxSettlementSchema,
  SettleAtBankBody,
} from './schemas.ts';
import { type SettleAtBankDeps, settleAtBank } from './settle-at-bank.ts';

export type SandboxRoutesDeps = FundWalletDeps & AdvanceClockDeps & PayAccountDeps & SettleAtBankDeps;

export function sandboxRoutes(deps: SandboxRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/sandbox/wallet/fund',
      {
        config: {
          access: { scope: 'sandbox:write' },
          errorCodes: ['WALLET_NOT_FOUND', 'SANDBOX_ONLY', 'SANDBOX_FUNDING_TOO_LARGE', 'SANDBOX_WALLET_FULL'],
        },
        schema: {
          tags: ['Sandbox'],
          operationId: 'fundSandboxWallet',
          summary: 'Put play money into a sandbox wallet',
          description: 'Only in sandbox mode. The money is not real.',
          body: FundWalletBody,
          response: answers(Success(FundingSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () =>
          fundWallet(deps, {
            tenant: request.principal.tenant,
            walletId: request.body.walletId,
            amountMinor: parseAmount(request.body.amount),
            idempotency: request.idempotency,
          }),
        ),
    );
    app.post(
      '/sandbox/collection/pay',
      {
        config: {
          access: { scope: 'sandbox:write' },
          errorCodes: ['WALLET_NOT_FOUND', 'SANDBOX_ONLY', 'SANDBOX_FUNDING_TOO_LARGE', 'SANDBOX_WALLET_FULL'],
        },
        schema: {
          tags: ['Sandbox'],
          operationId: 'paySandboxAccount',
          summary: 'Pay to an account number of a sandbox wallet, as a customer would',
          description:
            'Only in sandbox mode. The money is not real. It comes to the wallet by the bank’s webhook, as the scenario says.',
          body: PayAccountBody,
          response: answers(Success(SandboxPaymentSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () => {
          const { amount, ...payment } = request.body;
          return payAccount(deps, {
            ...payment,
            tenant: request.principal.tenant,
            amountMinor: parseAmount(amount),
            idempotency: request.idempotency,
          });
        }),
    );
    await addRoutes(app, settlementRoute(deps));
    app.post(
      '/sandbox/clock/advance',
      {
        config: { access: { scope: 'sandbox:write' }, errorCodes: ['SANDBOX_ONLY', 'SANDBOX_CLOCK_LIMIT'] },
        schema: {
          tags: ['Sandbox'],
          operationId: 'advanceSandboxClock',
          summary: 'Move time forward for your sandbox schedules',
          description: 'Only in sandbox mode. Scheduled payouts, requeries and the end of approvals come nearer.',
          body: AdvanceClockBody,
          response: answers(Success(AdvanceSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          advanceClock(deps, {
            tenant: request.principal.tenant,
            seconds: request.body.seconds,
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}

function settlementRoute(deps: SettleAtBankDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/sandbox/collection/settlement',
      {
        config: {
          access: { scope: 'sandbox:write' },
          errorCodes: ['SANDBOX_ONLY', 'SANDBOX_NOTHING_TO_SETTLE'],
        },
        schema: {
          tags: ['Sandbox'],
          operationId: 'settleAtSandboxBank',
          summary: 'Let the sandbox bank settle what was paid, less what went back',
          description:
            'Only in sandbox mode. All that is in no settlement yet, with the differences that the scenario names. The operator is ' +
            'notified as by any provider; what waits for its settlement is available once people have applied it.',
          body: SettleAtBankBody,
          response: answers(Success(SandboxSettlementSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          settleAtBank(deps, {
            tenant: request.principal.tenant,
            scenario: request.body.scenario,
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}
