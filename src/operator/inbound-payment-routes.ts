import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { PeriodQuery } from '../platform/http/period.ts';
import { answers, DateTime, Money, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { PAYMENT_CHANNELS } from '../rails/index.ts';
import { PaymentReserveSchema } from '../reserves/index.ts';
import { EvidenceSchema } from '../transactions/index.ts';
import type { OperatorDeps } from './deps.ts';
import { readFoundCredits, readInboundCase } from './inbound-payment-views.ts';
import { AccountFilter, AmountFilter, ProviderReferenceFilter, RailFilter, SessionFilter } from './payout-routes.ts';
import { ChannelName, ModeName, OneOf } from './schemas.ts';
import { SuspenseSchema } from './suspense-schemas.ts';

const STATUSES = ['CREDITED', 'PENDING_SETTLEMENT', 'SUSPENSE', 'RETURNED', 'KEPT'] as const;

const SearchInboundQuery = Type.Object(
  {
    merchantId: Type.Optional(Uuid('Of one merchant.')),
    mode: Type.Optional(ModeName()),
    status: Type.Optional(OneOf(STATUSES)),
    rail: Type.Optional(RailFilter()),
    channel: Type.Optional(ChannelName()),
    paymentId: Type.Optional(Uuid('Ours.')),
    providerReference: Type.Optional(ProviderReferenceFilter()),
    sessionId: Type.Optional(SessionFilter()),
    accountNumber: Type.Optional(AccountFilter('The account number to which it was paid.')),
    amount: Type.Optional(AmountFilter()),
    ...PeriodQuery,
    ...listQuery(),
  },
  { additionalProperties: false },
);

const FoundInboundSchema = Named(
  'FoundInboundPayment',
  Type.Object({
    paymentId: Uuid(),
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    status: OneOf(STATUSES),
    reason: Nullable(Type.String({ description: 'Why it is held, or what is odd about it.' })),
    amount: Money('What the payer sent, whole.'),
    fee: Money('What the operator took of it.'),
    vat: Money('VAT on the fee.'),
    net: Money('What is the merchant’s of it, or will be.'),
    reserve: Money('What of that is kept in reserve.'),
    channel: Nullable(OneOf(PAYMENT_CHANNELS, 'How it was paid; null where the provider does not say.')),
    currency: Type.Literal('NGN'),
    rail: Type.String(),
    providerTransactionId: Type.String({ description: 'The id that the provider gave the transfer.' }),
    providerReference: Nullable(Type.String()),
    sessionId: Nullable(Type.String()),
    accountNumber: Type.String({ description: 'To which it was paid.' }),
    payer: Type.Object({
      name: Nullable(Type.String()),
      accountNumber: Nullable(Type.String()),
      bankName: Nullable(Type.String()),
    }),
    paidAt: Nullable(DateTime('When the provider received it, where it says so.')),
    confirmedAt: DateTime(),
    updatedAt: DateTime(),
  }),
);

const FoundInboundsSchema = Type.Object({
  ...ListPage(FoundInboundSchema).properties,
  lookedBackTo: Nullable(DateTime('As of the search for payouts.')),
});

const InboundCaseParams = Type.Object({ paymentId: Uuid() });

const { transfers, stateChanges, events } = EvidenceSchema.properties;

/** Everything that is known of one payment in, without secrets and whole numbers of somebody’s identity. */
const InboundCaseSchema = Named(
  'InboundPaymentCase',
  Type.Object({
    payment: FoundInboundSchema,
    walletId: Uuid('To which it was paid.'),
    creditedWalletId: Nullable(Uuid('The wallet that has it; null while none has.')),
    narration: Nullable(Type.String()),
    providerFee: Nullable(Money('What the provider said that it keeps; null: it did not say.')),
    disputesByHand: Type.Boolean({
      description:
        'Two people enter disputes about it: its provider cannot be asked, or says that it went back by itself.',
    }),
    evidence: Type.Array(
      Type.Object({
        source: OneOf(['WEBHOOK', 'POLL', 'CHECK'] as const, 'What made us ask the provider.'),
        outcome: Type.String({ examples: ['confirmed'] }),
        code: Nullable(Type.String()),
        reported: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
          description: 'The transfer as the provider’s answer had it.',
        }),
        receivedAt: DateTime(),
      }),
    ),
    session: Nullable(
      Type.Object(
        {
          sessionId: Uuid(),
          reference: Type.String(),
          status: Type.String({ examples: ['PAID'] }),
          note: Nullable(Type.String({ description: 'What is odd about it, such as LATE.' })),
        },
        { description: 'The payment session that it came for.' },
      ),
    ),
    reserve: Nullable(PaymentReserveSchema),
    settlement: Nullable(
      Type.Object({
        settlementId: Uuid(),
        gross: Money('What the provider settled, its fee included.'),
        fee: Money('What the provider kept.'),
        settledAt: DateTime(),
      }),
    ),
    takenBack: Type.Array(
      Type.Object({
        kind: OneOf(['REFUND', 'DISPUTE'] as const),
        id: Uuid(),
        status: Type.String({ examples: ['SUCCESS'] }),
        reason: Nullable(Type.String()),
        amount: Money('Of a dispute: what may be taken.'),
        at: DateTime('When it was made, or opened.'),
      }),
      { description: 'Its refunds and disputes, newest first.' },
    ),
    toDecide: Nullable(SuspenseSchema),
    decisions: Type.Array(
      Type.Object({
        action: OneOf(['ATTRIBUTE', 'RETURN', 'KEEP'] as const),
        source: Type.String(),
        note: Type.String(),
        status: Type.String({ examples: ['CONFIRMED'] }),
        reason: Nullable(Type.String()),
        proposedBy: Nullable(Type.String()),
        proposedAt: DateTime(),
        decidedBy: Nullable(Type.String()),
        decidedAt: Nullable(DateTime()),
      }),
      { description: 'What people said about it while it was in suspense, newest first.' },
    ),
    transfers,
    stateChanges,
    events,
  }),
);

const TAGS = ['Operator: money in'];

/** Payments in of all merchants, and everything that is known of one. */
export function operatorInboundRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/inbound-payment',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'searchInboundPayments',
          summary: 'Payments in of all merchants, newest first',
          querystring: SearchInboundQuery,
          response: answers(Success(FoundInboundsSchema)),
        },
      },
      async (request, reply) => {
        const page = await readFoundCredits(deps, request.query, listRequest(request.query));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/operator/inbound-payment/:paymentId',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'getInboundPaymentCase',
          summary: 'All that is known of one payment in, of any merchant: answers, session, books, settlement',
          params: InboundCaseParams,
          response: answers(Success(InboundCaseSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(
          reply,
          success('Success', await readInboundCase(deps, request.params.paymentId, request.operator.personId)),
        ),
    );
  };
}
