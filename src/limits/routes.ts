import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../access/index.ts';
import { makerOf } from '../approvals/index.ts';
import { parseAmount } from '../money/index.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { type ChangeOwnLimitDeps, changeOwnLimit } from './change-own-limit.ts';
import { LimitSchema, OwnLimitBody, OwnLimitSchema } from './schemas.ts';
import { showLimit } from './views.ts';

export function limitRoutes(deps: ChangeOwnLimitDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/limit',
      {
        config: { access: { scope: 'payout:read' } },
        schema: {
          tags: ['Payouts'],
          operationId: 'getPayoutLimits',
          summary: 'Limits a payout and a day, and what is left today',
          description:
            "The stricter of the operator's limit and the merchant's own counts. A day begins at midnight in Lagos.",
          response: answers(Success(LimitSchema)),
        },
      },
      async (request, reply) => sendAnswer(reply, await showLimit(deps, request.principal.tenant)),
    );
    app.patch(
      '/payout/limit',
      {
        config: { access: { scope: null, permission: 'limit:manage', stepUp: true, service: 'PAYOUT' } },
        schema: {
          tags: ['Dashboard: Limits'],
          operationId: 'updatePayoutLimit',
          summary: 'Set limits of your own beside the operator’s',
          description:
            'Null is none. While approvals are on the change waits for one: the answer then shows the limits in force and the approvalId of the change.',
          body: OwnLimitBody,
          response: answers(Success(OwnLimitSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () =>
          changeOwnLimit(deps, {
            tenant: request.principal.tenant,
            maker: makerOf(request),
            limit: {
              perPayoutMinor: limitFrom(request.body.perPayout, 'perPayout'),
              perDayMinor: limitFrom(request.body.perDay, 'perDay'),
            },
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}

const limitFrom = (amount: number | null, field: string) => (amount === null ? null : parseAmount(amount, field));
