import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand, nameOfCaller } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success, wordsOf } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { goneSignal } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { RefundDeps } from './deps.ts';
import { readPaymentsToRefund } from './read-refunds.ts';
import { changeRefundRule, readRefundRule } from './refund-rule.ts';
import type { ToRefundStatus } from './rule-queries.ts';
import { ListToRefundQuery, RefundRuleBody, RefundRuleSchema, ToRefundPage } from './schemas.ts';
import { refundRuleView } from './views.ts';

export type RefundRuleDeps = RefundDeps & { secrets: Secrets };

/** The rule about what goes back of payments by itself, and the payments that it is for. */
export function refundRuleRoutes(deps: RefundRuleDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/collection/refund/rule',
      {
        config: { access: { scope: 'collection:read' } },
        schema: {
          tags: ['Refunds'],
          operationId: 'getRefundRule',
          summary: 'What of payments goes back by itself',
          description: 'Late payments, and what is paid above the amount asked. It is changed in the dashboard.',
          response: answers(Success(RefundRuleSchema)),
        },
      },
      async (request, reply) => {
        const rule = await readRefundRule(database, request.principal.tenant);
        return sendAnswer(reply, success('Success', refundRuleView(rule)));
      },
    );
    app.patch(
      '/collection/refund/rule',
      {
        config: {
          access: { scope: null, permission: 'rule:manage', stepUp: true, pin: true, audit: 'SETTINGS' },
          errorCodes: ['REFUND_RULE_MOVED_ON'],
        },
        schema: {
          tags: ['Dashboard: refunds'],
          operationId: 'updateRefundRule',
          summary: 'Say what of payments goes back by itself',
          description:
            'What is left out stays. Its refunds ask for no approval of their own: the person who sets the rule approves them with it.',
          body: RefundRuleBody,
          response: answers(Success(RefundRuleSchema)),
        },
      },
      (request, reply) => {
        const { pin: _pin, ...changes } = request.body;
        return answerCommand(deps.ledger, request, reply, () =>
          changeRefundRule(deps, {
            tenant: request.principal.tenant,
            changes,
            by: nameOfCaller(request.principal),
            idempotency: request.idempotency,
          }),
        );
      },
    );
    app.get(
      '/collection/refund/rule/payment',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags: ['Refunds'],
          operationId: 'listPaymentsToRefund',
          summary: 'Payments that the rule is for, newest first',
          description: 'What waits, what was refunded, what was left, and what is to be refunded by hand.',
          querystring: ListToRefundQuery,
          response: answers(Success(ToRefundPage)),
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const statuses = wordsOf<ToRefundStatus>(query.status);
        const page = await readPaymentsToRefund(database, principal.tenant, statuses, {
          ...listRequest(query),
          gone: goneSignal(reply),
        });
        return sendAnswer(reply, success('Success', page));
      },
    );
  };
}
