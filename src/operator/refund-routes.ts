import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, DateTime, Money, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import {
  confirmRefundOutcome,
  proposeRefundOutcome,
  REFUND_OUTCOMES,
  rejectRefundOutcome,
} from '../refund-outcomes/index.ts';
import { REFUND_OPERATOR_REASONS, REFUND_STATUSES, REFUND_WAYS, RefundAttemptSchema } from '../refunds/index.ts';
import type { OperatorDeps } from './deps.ts';
import {
  ConfirmOutcomeBody,
  EndedProposal,
  HowKnown,
  OpenProposal,
  ofTenant,
  ProposedSchema,
  RejectOutcomeBody,
} from './proposal-schemas.ts';
import { readOperatorRefund, readOperatorRefunds } from './refund-views.ts';
import { DONE, Done, ModeName, OneOf } from './schemas.ts';

const TAGS = ['Operator: outcomes'];

const ListRefundsQuery = Type.Object(
  {
    needsDecision: Type.Optional(
      Type.Boolean({ description: 'Only those that people have to look into, what waits longest first.' }),
    ),
    isProposed: Type.Optional(
      Type.Boolean({ description: 'Only those with a proposed outcome that another person has to confirm.' }),
    ),
    merchantId: Type.Optional(Uuid()),
    mode: Type.Optional(ModeName()),
    status: Type.Optional(Type.Enum([...REFUND_STATUSES])),
    rail: Type.Optional(Type.String({ minLength: 1, maxLength: 60, examples: ['paystack-live'] })),
    from: Type.Optional(DateTime('Made since then; without it, in the last 90 days.')),
    ...listQuery(),
  },
  { additionalProperties: false },
);

const OperatorRefundSchema = Named(
  'OperatorRefund',
  Type.Object({
    refundId: Uuid(),
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    paymentId: Uuid(),
    way: OneOf(REFUND_WAYS),
    status: OneOf(REFUND_STATUSES),
    reason: Nullable(Type.String({ examples: ['OPERATOR_DECIDED_FAILED'] })),
    operatorReason: Nullable(OneOf(REFUND_OPERATOR_REASONS, 'Why people have to look into it; null where not.')),
    operatorSince: Nullable(DateTime()),
    amount: Money('What goes back.'),
    currency: Type.Literal('NGN'),
    rail: Type.String({ description: 'The provider account that has the payment.', examples: ['paystack-live'] }),
    railReference: Type.String({ description: 'Our reference of the refund at the provider.' }),
    providerRefundId: Nullable(Type.String({ description: 'The provider’s own id of it.' })),
    payoutTransactionId: Nullable(
      Type.String({ format: 'uuid', description: 'Of a refund that goes out as a payout.' }),
    ),
    createdAt: DateTime(),
    firstSentAt: Nullable(DateTime()),
    proposal: Nullable(OpenProposal(REFUND_OUTCOMES)),
  }),
);

const FoundRefundsSchema = Type.Object({
  ...ListPage(OperatorRefundSchema).properties,
  lookedBackTo: Nullable(DateTime('How far back the list goes; null where nothing is left out.')),
});

const RefundCaseSchema = Named(
  'RefundCase',
  Type.Object({
    refund: OperatorRefundSchema,
    payment: Type.Object({
      amount: Money('What was paid.'),
      status: Type.String({ examples: ['CREDITED'] }),
      providerTransactionId: Type.String({ description: 'With this the provider finds the payment.' }),
      providerReference: Nullable(Type.String()),
      payerName: Nullable(Type.String()),
      payerAccountNumber: Nullable(Type.String()),
      payerBankName: Nullable(Type.String()),
    }),
    note: Nullable(Type.String({ description: 'The merchant’s words.' })),
    nextAskAt: Nullable(DateTime('When the service asks the provider again by itself.')),
    said: Type.Array(RefundAttemptSchema, { description: 'In the order that it was said; the last 200.' }),
    proposals: Type.Array(EndedProposal(REFUND_OUTCOMES), { description: 'Newest first, decided ones among them.' }),
    isOvertaken: Type.Boolean({
      description: 'More became known since the open proposal was made: it can only be rejected and made anew.',
    }),
  }),
);

const ProposeBody = Type.Object(
  { ...ofTenant, refundId: Uuid(), outcome: OneOf(REFUND_OUTCOMES), ...HowKnown },
  { additionalProperties: false },
);

const ConfirmedSchema = Named('ConfirmedRefund', Type.Object({ refundId: Uuid(), outcome: OneOf(REFUND_OUTCOMES) }));

/** Refunds of all merchants, and those whose outcome nobody knows: one person says what happened, another confirms. */
export function operatorRefundRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/refund',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listOperatorRefunds',
          summary: 'Refunds of all merchants of 90 days, newest first, or those that people have to decide',
          querystring: ListRefundsQuery,
          response: answers(Success(FoundRefundsSchema)),
        },
      },
      async (request, reply) => {
        const { needsDecision, isProposed, merchantId, mode, status, rail, from } = request.query;
        const since = from === undefined ? undefined : new Date(from);
        const filter = { needsDecision, isProposed, merchantId, mode, status, rail, from: since };
        const asked = { filter, personId: request.operator.personId };
        return sendAnswer(
          reply,
          success('Success', await readOperatorRefunds(deps, asked, listRequest(request.query))),
        );
      },
    );
    app.get(
      '/operator/refund/:refundId',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'getOperatorRefund',
          summary: 'All that is known of a refund: its payment, every call, answer and proposal',
          params: Type.Object({ refundId: Uuid() }),
          querystring: Type.Object(ofTenant, { additionalProperties: false }),
          response: answers(Success(RefundCaseSchema)),
        },
      },
      async (request, reply) => {
        const { refundId } = request.params;
        const asked = { tenant: request.query, refundId, personId: request.operator.personId };
        return sendAnswer(reply, success('Success', await readOperatorRefund(deps, asked)));
      },
    );
    await addRoutes(app, decisionRoutes(deps));
  };
}

function decisionRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/refund/propose',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'proposeRefundOutcome',
          summary: 'Say what became of a refund and how you know; another person has to confirm it',
          body: ProposeBody,
          response: answers(Success(ProposedSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...proposal } = request.body;
        const { personId } = request.operator;
        const proposed = await proposeRefundOutcome(deps, { tenant: { merchantId, mode }, ...proposal, personId });
        return sendAnswer(reply, success('Nothing has moved: another person confirms it', proposed));
      },
    );
    app.post(
      '/operator/refund/confirm',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'confirmRefundOutcome',
          summary: 'Confirm another person’s proposal about a refund; it becomes books at once',
          body: ConfirmOutcomeBody,
          response: answers(Success(ConfirmedSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...shown } = request.body;
        const { personId } = request.operator;
        const confirmed = await confirmRefundOutcome(deps, { tenant: { merchantId, mode }, ...shown, personId });
        return sendAnswer(reply, success('The outcome is in the books', confirmed));
      },
    );
    app.post(
      '/operator/refund/reject',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'rejectRefundOutcome',
          summary: 'Turn a proposal about a refund down, or take your own back',
          body: RejectOutcomeBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, proposalId, reason } = request.body;
        const { personId } = request.operator;
        await rejectRefundOutcome(deps, { tenant: { merchantId, mode }, proposalId, reason, personId });
        return sendAnswer(reply, success('The proposal is rejected', DONE));
      },
    );
  };
}
