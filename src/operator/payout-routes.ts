import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { PeriodQuery } from '../platform/http/period.ts';
import { answers, DateTime, Money, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { EvidenceSchema, OPERATOR_REASONS, ReportedSchema, TRANSACTION_STATUSES } from '../transactions/index.ts';
import type { OperatorDeps } from './deps.ts';
import { PastProposal } from './outcome-routes.ts';
import { readFoundPayouts, readPayoutCase } from './payout-views.ts';
import { ModeName, OneOf } from './schemas.ts';

/** Our own reference, with or without its first letters, or the id: all three belong to one payout. */
const REFERENCE = '^((MNL)?[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$';

const Reference = () =>
  Type.String({
    pattern: REFERENCE,
    maxLength: 36,
    description: 'Our reference (MNL…), the one that the rail has of it (the same without MNL), or the id.',
    examples: ['MNL01a1fa8edbd378299ee86656ed63ba41'],
    'x-hint': 'must be a reference of ours, or an id',
  });

/** The amount in a search. */
export const AmountFilter = () =>
  Type.String({
    maxLength: 15,
    pattern: '^\\d{1,12}(\\.\\d{1,2})?$',
    description: 'Exactly this amount, in naira.',
    examples: ['1500.50'],
    'x-hint': 'must be an amount in naira with at most two decimals',
  });

export const AccountFilter = (description: string) =>
  Type.String({
    maxLength: 10,
    pattern: '^\\d{10}$',
    description,
    examples: ['0123456785'],
    'x-hint': 'must be 10 digits',
  });

const word = (description: string, maxLength: number, example: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[ -~]+$',
    description,
    examples: [example],
    'x-hint': `must be 1 to ${maxLength} plain characters`,
  });

export const SessionFilter = () => word('By which banks trace the transfer.', 100, '999999261120093000123456789012');
export const RailFilter = () => word('The rail account.', 40, 'sandbox');
export const ProviderReferenceFilter = () => word('The id or the reference that the provider gave it.', 200, 'TRF-1');

const SearchPayoutsQuery = Type.Object(
  {
    merchantId: Type.Optional(Uuid('Of one merchant.')),
    mode: Type.Optional(ModeName()),
    status: Type.Optional(
      OneOf([...TRANSACTION_STATUSES, 'UNKNOWN'] as const, 'UNKNOWN: it was sent, and nobody knows what became of it.'),
    ),
    rail: Type.Optional(RailFilter()),
    reference: Type.Optional(Reference()),
    sessionId: Type.Optional(SessionFilter()),
    accountNumber: Type.Optional(AccountFilter('The account that it is for.')),
    amount: Type.Optional(AmountFilter()),
    ...PeriodQuery,
    ...listQuery(),
  },
  { additionalProperties: false },
);

const FoundPayoutSchema = Named(
  'FoundPayout',
  Type.Object({
    payoutId: Uuid(),
    reference: Type.String({ description: 'Ours.' }),
    merchantReference: Nullable(Type.String({ description: 'The merchant’s own.' })),
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    status: OneOf(TRANSACTION_STATUSES),
    reason: Nullable(Type.String({ examples: ['OUTCOME_UNKNOWN'] })),
    isUnknown: Type.Boolean({ description: 'It was sent, and nobody knows what became of it.' }),
    operatorReason: Nullable(OneOf(OPERATOR_REASONS, 'Why people are looking into it.')),
    amount: Money('What the payee should get.'),
    currency: Type.Literal('NGN'),
    rail: Type.String({ examples: ['sandbox'] }),
    railReference: Type.String({ description: 'Under which the rail knows it.' }),
    sessionId: Nullable(Type.String()),
    payee: Type.Object({ accountName: Type.String(), accountNumber: Type.String(), bankName: Type.String() }),
    createdAt: DateTime(),
    firstSentAt: Nullable(DateTime()),
    updatedAt: DateTime(),
  }),
);

const LookedBackTo = () =>
  Nullable(
    DateTime(
      'A filter that no index has is looked for among the newest 50,000 that the others find: the search went no further ' +
        'back than this. Send it as `to` to go on. Null: it went to the beginning.',
    ),
  );

const FoundPayoutsSchema = Type.Object({
  ...ListPage(FoundPayoutSchema).properties,
  lookedBackTo: LookedBackTo(),
});

const PayoutReferenceParams = Type.Object({ reference: Reference() });

const { transfers, stateChanges, events, nameEnquiry } = EvidenceSchema.properties;

const Sent = Type.Object(
  {
    rail: Type.String(),
    reference: Type.String({ description: 'Under which the rail knows it, however often it was sent.' }),
    amount: Money('What the payee should get.'),
    currency: Type.Literal('NGN'),
    bankCode: Type.String(),
    bankName: Type.String(),
    accountNumber: Type.String(),
    accountName: Type.String(),
    narration: Type.String(),
    firstSentAt: Nullable(DateTime('Null: it was never sent.')),
    lastSentAt: Nullable(DateTime('When its rail may have been asked to send it, the last time.')),
  },
  { description: 'What a rail is asked for. Credentials are no part of it and are kept nowhere with it.' },
);

const Approval = Type.Object({
  approvalId: Uuid(),
  status: Type.String({ examples: ['APPROVED'] }),
  madeBy: Type.String({ description: 'A name, as it was then.' }),
  madeVia: OneOf(['DASHBOARD', 'API'] as const),
  madeAt: DateTime(),
  needed: Type.Integer(),
  decisions: Type.Array(
    Type.Object({
      decision: OneOf(['APPROVE', 'REJECT'] as const),
      by: Type.String(),
      role: Type.String(),
      note: Nullable(Type.String()),
      at: DateTime(),
    }),
  ),
});

/** Everything that is known of one payout, without secrets and whole numbers of somebody’s identity. */
const PayoutCaseSchema = Named(
  'PayoutCase',
  Type.Object({
    payout: FoundPayoutSchema,
    charges: Money('Fee, VAT and stamp duty.'),
    sent: Sent,
    refusedByRail: Nullable(Type.String({ description: 'The rail that definitely refused it before it failed over.' })),
    nameEnquiry: nameEnquiry,
    attempts: Type.Array(
      Type.Object({
        id: Uuid(),
        kind: OneOf(['SEND', 'QUERY', 'PROVIDER_WEBHOOK', 'SETTLEMENT', 'OPERATOR'] as const),
        rail: Type.String(),
        startedAt: DateTime(),
        endedAt: Nullable(DateTime('Null: under way, or nobody heard the answer.')),
        outcome: Nullable(OneOf(['succeeded', 'failed', 'unknown', 'not_found', 'reversed'] as const)),
        code: Nullable(Type.String({ description: 'As the rail named it.' })),
        reason: Nullable(Type.String()),
        message: Nullable(Type.String()),
        sessionId: Nullable(Type.String()),
        reported: Nullable(ReportedSchema),
      }),
      { description: 'In order: every call to a rail, and every response that came another way.' },
    ),
    transfers,
    stateChanges,
    events,
    approval: Nullable(Approval),
    proposals: Type.Array(PastProposal, { description: 'What people said became of it, newest first.' }),
    settlements: Type.Array(
      Type.Object({ kind: OneOf(['PAID', 'RETURNED'] as const), importId: Uuid(), settledAt: DateTime() }),
      { description: 'What the rail’s own files confirmed.' },
    ),
  }),
);

const TAGS = ['Operator: payouts'];

/** Payouts of all merchants, and everything that is known of one. */
export function operatorPayoutRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/payout',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'searchPayouts',
          summary: 'Payouts of all merchants, newest first',
          description: 'It is seconds behind: a worker writes down where each payout is found.',
          querystring: SearchPayoutsQuery,
          response: answers(Success(FoundPayoutsSchema)),
        },
      },
      async (request, reply) => {
        const page = await readFoundPayouts(deps, request.query, listRequest(request.query));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/operator/payout/:reference',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'getPayoutCase',
          summary: 'All that is known of one payout, of any merchant: calls and answers, books, approvals, decisions',
          params: PayoutReferenceParams,
          response: answers(Success(PayoutCaseSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readPayoutCase(deps, request.params.reference))),
    );
  };
}
