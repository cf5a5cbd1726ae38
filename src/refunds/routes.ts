import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { answerCommand } from '../access/index.ts';
import { makerOf } from '../approvals/index.ts';
import { NAME_ENQUIRY_ERRORS } from '../bank-directory/index.ts';
import { parseAmount } from '../money/index.ts';
import { PAYMENT_ERRORS, SCENARIO_HEADER, scenarioOf } from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { invalidField } from '../platform/errors.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Success, wordsOf } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { isRefundScenario } from '../rails/index.ts';
import type { RefundDeps } from './deps.ts';
import { giveRefundDetails } from './give-details.ts';
import type { RefundStatus } from './queries.ts';
import { exportRefunds, type RefundFilter, readRefund, readRefunds } from './read-refunds.ts';
import { type RefundInput, requestRefund } from './request-refund.ts';
import { type RefundRuleDeps, refundRuleRoutes } from './rule-routes.ts';
import {
  ListRefundsQuery,
  RefundBody,
  RefundDetailSchema,
  RefundDetailsBody,
  type RefundFilterQuery,
  type RefundInputBody,
  RefundPage,
  RefundParams,
  RefundPaymentParams,
  RefundScenarioHeaders,
  RefundSchema,
  RefundsCsvQuery,
} from './schemas.ts';

const TAGS = ['Refunds'];

const ACCOUNT_ERRORS = ['REFUND_ACCOUNT_OF_OTHERS', ...NAME_ENQUIRY_ERRORS];

const REFUND_ERRORS = [
  'INBOUND_PAYMENT_NOT_FOUND',
  'REFUNDS_NOT_ENABLED',
  'PAYMENT_NOT_REFUNDABLE',
  'PAYMENT_TAKEN_BACK',
  'REFUND_REFERENCE_TAKEN',
  'REFUND_DUPLICATE',
  'REFUND_WAY_UNAVAILABLE',
  'REFUND_NOT_PARTIAL',
  'REFUND_TOO_SMALL',
  'REFUND_ACCOUNT_NEEDED',
  'PAYOUT_DUPLICATE',
  'PAYOUT_NOT_POSSIBLE',
  ...ACCOUNT_ERRORS,
  ...PAYMENT_ERRORS,
];

export function refundRoutes(deps: RefundRuleDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/collection/payment/:paymentId/refund',
      {
        config: { access: { scope: 'collection:write', service: 'COLLECTION', pin: true }, errorCodes: REFUND_ERRORS },
        schema: {
          tags: TAGS,
          operationId: 'refundPayment',
          summary: 'Send a payment, or a part of it, back to its payer',
          description:
            'The amount is held and the provider is asked to send it, or a payout goes to the payer’s account. All refunds of a payment never come to more than the payment, and its fee stays taken. Follow it with events or `GET /collection/refund/{refundId}` until it is `conclusive`.',
          params: RefundPaymentParams,
          headers: RefundScenarioHeaders,
          body: RefundBody,
          response: answers(Success(RefundSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () =>
          requestRefund(deps, inputOf(request, request.params.paymentId, request.body)),
        ),
    );
    app.post(
      '/collection/refund/:refundId/details',
      {
        config: {
          access: { scope: 'collection:write', service: 'COLLECTION', pin: true },
          errorCodes: [
            'REFUND_NOT_FOUND',
            'REFUND_NEEDS_NO_DETAILS',
            'PAYMENT_NOT_REFUNDABLE',
            'PAYOUT_NOT_POSSIBLE',
            ...ACCOUNT_ERRORS,
          ],
        },
        schema: {
          tags: TAGS,
          operationId: 'giveRefundDetails',
          summary: 'Give the payer’s account for a refund that needs it',
          description:
            'For a refund with the status `NEEDS_DETAILS`. The account is the one that the payment came from, or another in the payer’s name.',
          params: RefundParams,
          body: RefundDetailsBody,
          response: answers(Success(RefundSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () =>
          giveRefundDetails(deps, {
            tenant: request.principal.tenant,
            refundId: request.params.refundId,
            account: { bankCode: request.body.bankCode, accountNumber: request.body.accountNumber },
            idempotency: request.idempotency,
          }),
        ),
    );
    await addRoutes(app, refundRuleRoutes(deps), readRoutes(deps));
  };
}

function readRoutes({ database }: RefundDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/collection/refund',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags: TAGS,
          operationId: 'listRefunds',
          summary: 'Refunds, newest first',
          description: 'Those that wait and those that failed among them.',
          querystring: ListRefundsQuery,
          response: answers(Success(RefundPage)),
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const page = await readRefunds(database, principal.tenant, filterOf(query), {
          ...listRequest(query),
          gone: goneSignal(reply),
        });
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/collection/refund.csv',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['EXPORTS_BUSY', 'EXPORT_TOO_LARGE'] },
        schema: {
          tags: TAGS,
          operationId: 'downloadRefunds',
          summary: 'Refunds, as CSV',
          description: 'All that match, in the order of the list, amounts in naira. Account numbers are text.',
          querystring: RefundsCsvQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const chosen = { columns: query.columns, gone: goneSignal(reply) };
        return sendExport(
          reply,
          'refunds.csv',
          await exportRefunds(database, principal.tenant, filterOf(query), chosen),
        );
      },
    );
    app.get(
      '/collection/refund/:refundId',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['REFUND_NOT_FOUND'] },
        schema: {
          tags: TAGS,
          operationId: 'getRefund',
          summary: 'One refund, with what became of it',
          description: 'The evidence is what the provider was asked and answered, in order.',
          params: RefundParams,
          response: answers(Success(RefundDetailSchema)),
        },
      },
      async (request, reply) => {
        const found = await readRefund(database, request.principal.tenant, request.params.refundId);
        return sendAnswer(reply, success('Success', found));
      },
    );
  };
}

function inputOf(request: FastifyRequest, paymentId: string, body: RefundInputBody): RefundInput {
  const { tenant } = request.principal;
  return {
    tenant,
    paymentId,
    amountMinor: body.amount === undefined ? undefined : parseAmount(body.amount),
    note: body.note ?? null,
    way: body.way,
    reference: body.reference ?? null,
    account: body.account,
    cause: 'MERCHANT',
    scenario: refundScenario(request),
    maker: makerOf(request),
    allowDuplicate: body.allowDuplicate ?? false,
    idempotency: request.idempotency,
  };
}

/** @throws AppError `VALIDATION_FAILED` for a name that is no scenario. */
function refundScenario(request: FastifyRequest): string | null {
  const { mode } = request.principal.tenant;
  const header = request.headers[SCENARIO_HEADER];
  if (mode === 'SANDBOX' && typeof header === 'string' && header.startsWith('refund-')) {
    if (!isRefundScenario(header)) throw invalidField('X-Sandbox-Scenario', 'is not a scenario of refunds');
    return header;
  }
  return scenarioOf(mode, header);
}

function filterOf(query: RefundFilterQuery): RefundFilter {
  const { way, cause, paymentId, reference, order } = query;
  return {
    ...{ way, cause, paymentId, reference, order },
    statuses: wordsOf<RefundStatus>(query.status),
    ...parsePeriod(query),
  };
}
