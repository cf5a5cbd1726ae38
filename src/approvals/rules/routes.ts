import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../../access/index.ts';
import { parseAmount } from '../../money/index.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import type { ApprovalDeps } from '../decide-approval.ts';
import { makerOf } from '../maker.ts';
import { RulesBody, RulesSchema } from '../schemas.ts';
import { changeRules } from './change-rules.ts';
import { showRules } from './show-rules.ts';

export function ruleRoutes(deps: ApprovalDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/approval/rules',
      {
        config: { access: { scope: 'payout:read' } },
        schema: {
          tags: ['Approvals'],
          operationId: 'getApprovalRules',
          summary: 'How many people have to approve what',
          description: 'From which amounts on how many people approve, for each kind of action.',
          response: answers(Success(RulesSchema)),
        },
      },
      async (request, reply) => sendAnswer(reply, await showRules(deps, request.principal.tenant)),
    );
    app.patch(
      '/approval/rules',
      {
        config: { access: { scope: null, permission: 'rule:manage', fresh: true } },
        schema: {
          tags: ['Dashboard: Approvals'],
          operationId: 'updateApprovalRules',
          summary: 'Change the rules of approval, or switch approvals on or off',
          description:
            'For both modes. While approvals are on, the change needs as many approvals as the strictest rule: the answer then shows the rules in force and the approvalId of the change.',
          body: RulesBody,
          response: answers(Success(RulesSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { isMakerCheckerEnabled, rules } = request.body;
          return changeRules(deps, {
            tenant: request.principal.tenant,
            maker: makerOf(request),
            isEnabled: isMakerCheckerEnabled,
            tiers: rules?.map(({ fromAmount, approvals }) => ({
              fromMinor: parseAmount(fromAmount, 'rules', { allowZero: true }),
              approvals,
            })),
            idempotency: request.idempotency,
          });
        }),
    );
  };
}
