import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { confirmOutcome, PROPOSED_OUTCOMES, proposeOutcome, rejectProposal } from '../outcomes/index.ts';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Money, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { OPERATOR_REASONS, ReportedSchema } from '../transactions/index.ts';
import type { OperatorDeps } from './deps.ts';
import { readEvidenceOf, readOutcomes } from './outcome-views.ts';
import {
  ConfirmOutcomeBody,
  EndedProposal,
  HowKnown,
  OpenProposal,
  ofTenant,
  ProposedSchema,
  RejectOutcomeBody,
} from './proposal-schemas.ts';
import { DONE, Done, ModeName, OneOf } from './schemas.ts';

const ListOutcomesQuery = Type.Object(
  {
    all: Type.Optional(
      Type.Boolean({
        description:
          'Every payout that was sent and has no outcome, however young, and those that another is proposed for.',
        default: false,
      }),
    ),
    proposed: Type.Optional(
      Type.Boolean({
        description:
          'Only payouts that an outcome is proposed for and a second person has to confirm, however young. It goes before `all`.',
        default: false,
      }),
    ),
    ...listQuery(),
  },
  { additionalProperties: false },
);

const Proposal = OpenProposal(PROPOSED_OUTCOMES);

const OpenOutcomeSchema = Named(
  'OpenOutcome',
  Type.Object({
    payoutId: Uuid(),
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    status: Type.String({ examples: ['PROCESSING'] }),
    reason: Nullable(Type.String({ examples: ['OUTCOME_UNKNOWN'] })),
    operatorReason: Nullable(OneOf(OPERATOR_REASONS, 'Why it is before the operator; null where it is not yet.')),
    amount: Money('What the payee should get.'),
    currency: Type.Literal('NGN'),
    rail: Type.String({ examples: ['sandbox'] }),
    railReference: Type.String({ description: 'With this the bank finds the transfer.' }),
    firstSentAt: Nullable(DateTime()),
    lastCode: Nullable(Type.String({ description: 'The last code that the rail named.' })),
    lastSessionId: Nullable(Type.String()),
    proposal: Nullable(Proposal),
  }),
);

const EvidenceParams = Type.Object({ payoutId: Uuid() });
const EvidenceQuery = Type.Object({ merchantId: Uuid(), mode: ModeName() }, { additionalProperties: false });

const Said = Type.Object({
  saidId: Uuid(),
  kind: OneOf(
    ['SEND', 'QUERY', 'PROVIDER_WEBHOOK', 'SETTLEMENT', 'OPERATOR'] as const,
    'A call of ours, or a response that came another way.',
  ),
  rail: Type.String({ examples: ['sandbox'] }),
  firstAt: DateTime(),
  lastAt: DateTime('Where it repeats the response before it; else as `firstAt`.'),
  times: Type.Integer({ minimum: 1, description: 'How often the same was said without anything else between.' }),
  isAnswered: Type.Boolean({ description: 'False: the call is under way, or its worker died.' }),
  outcome: Nullable(OneOf(['succeeded', 'failed', 'unknown', 'not_found', 'reversed'] as const)),
  code: Nullable(Type.String({ description: 'As the rail named it.' })),
  reason: Nullable(Type.String()),
  message: Nullable(Type.String({ description: 'The rail’s own text, or who decided from which source.' })),
  sessionId: Nullable(Type.String()),
  reported: Nullable(ReportedSchema),
});

export const PastProposal = EndedProposal(PROPOSED_OUTCOMES);

const OutcomeEvidenceSchema = Named(
  'OutcomeEvidence',
  Type.Object({
    payoutId: Uuid(),
    status: Type.String({ examples: ['PROCESSING'] }),
    payee: Type.Object({
      accountName: Type.String(),
      accountNumber: Type.String(),
      bankName: Type.String(),
      bankCode: Type.String(),
    }),
    narration: Type.String(),
    createdAt: DateTime(),
    nextAskAt: Nullable(DateTime('When the service asks the rail again by itself.')),
    said: Type.Array(Said, { description: 'In the order that it was said; the last 200.' }),
    proposals: Type.Array(PastProposal, { description: 'Newest first, decided ones among them.' }),
    outcomes: Type.Array(OneOf(PROPOSED_OUTCOMES), {
      description: 'What may be proposed as it is now; none where its end is beyond doubt.',
    }),
    proposal: Nullable(Proposal),
    isOvertaken: Type.Boolean({
      description: 'More became known since the open proposal was made: it can only be rejected and made anew.',
    }),
  }),
);

const ProposeOutcomeBody = Type.Object(
  {
    ...ofTenant,
    payoutId: Uuid(),
    outcome: OneOf(PROPOSED_OUTCOMES),
    ...HowKnown,
  },
  { additionalProperties: false },
);

const ConfirmedSchema = Named('Confirmed', Type.Object({ payoutId: Uuid(), outcome: OneOf(PROPOSED_OUTCOMES) }));

/** The statements about a payout, with their author and time, so that two people can decide. */
export function outcomeEvidenceRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/outcome/:payoutId/evidence',
      {
        config: { access: { operator: true } },
        schema: {
          tags: ['Operator: outcomes'],
          operationId: 'getPayoutEvidence',
          summary: 'All that is known of a payout: every call, provider webhook, line of a file and proposal',
          params: EvidenceParams,
          querystring: EvidenceQuery,
          response: answers(Success(OutcomeEvidenceSchema)),
        },
      },
      async (request, reply) => {
        const asked = { payoutId: request.params.payoutId, personId: request.operator.personId };
        return sendAnswer(reply, success('Success', await readEvidenceOf(deps, request.query, asked)));
      },
    );
  };
}

const TAGS = ['Operator: outcomes'];

/** Payouts whose outcome nobody knows: one person says what happened, another confirms. */
export function outcomeRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/outcome',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listUnknownOutcomes',
          summary: 'Payouts whose outcome people have to decide, what waits longest first',
          querystring: ListOutcomesQuery,
          response: answers(Success(ListPage(OpenOutcomeSchema))),
        },
      },
      async (request, reply) => {
        const { all, proposed } = request.query;
        const shown = proposed === true ? 'PROPOSED' : all === true ? 'ALL' : 'OPERATOR';
        const asked = { shown, personId: request.operator.personId } as const;
        return sendAnswer(reply, success('Success', await readOutcomes(deps, asked, listRequest(request.query))));
      },
    );
    app.post(
      '/operator/outcome/propose',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'proposeOutcome',
          summary: 'Say what became of a payout and how you know; another person has to confirm it',
          body: ProposeOutcomeBody,
          response: answers(Success(ProposedSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...proposal } = request.body;
        const { personId } = request.operator;
        const proposed = await proposeOutcome(deps, { tenant: { merchantId, mode }, ...proposal, personId });
        return sendAnswer(reply, success('Nothing has moved: another person confirms it', proposed));
      },
    );
    app.post(
      '/operator/outcome/confirm',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'confirmOutcome',
          summary: 'Confirm another person’s proposal; it becomes books at once',
          body: ConfirmOutcomeBody,
          response: answers(Success(ConfirmedSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...shown } = request.body;
        const { personId } = request.operator;
        const confirmed = await confirmOutcome(deps, { tenant: { merchantId, mode }, ...shown, personId });
        return sendAnswer(reply, success('The outcome is in the books', confirmed));
      },
    );
    app.post(
      '/operator/outcome/reject',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'rejectOutcome',
          summary: 'Turn a proposal down, or take your own back',
          body: RejectOutcomeBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, proposalId, reason } = request.body;
        const { personId } = request.operator;
        await rejectProposal(deps, { tenant: { merchantId, mode }, proposalId, reason, personId });
        return sendAnswer(reply, success('The proposal is rejected', DONE));
      },
    );
  };
}
