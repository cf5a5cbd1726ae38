import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { countDisputeProposalsFor } from '../dispute-proposals/index.ts';
import { countDisputesToLookAt } from '../disputes/index.ts';
import { countCreditsToDecide } from '../manual-credits/index.ts';
import { countSubmitted } from '../merchants/index.ts';
import { listWaitingMerchants, type WaitingMerchant } from '../onboarding/index.ts';
import { countOutcomesToDecide } from '../outcomes/index.ts';
import type { Operator } from '../people/index.ts';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { countProviderSettlementsToDecide } from '../provider-settlements/index.ts';
import { countUndecidedLines, readFloatStatus } from '../reconciliation/index.ts';
import { countRefundsToDecide } from '../refund-outcomes/index.ts';
import { countSuspenseToDecide } from '../suspense/index.ts';
import { countFailing } from '../webhooks/index.ts';
import type { OperatorDeps } from './deps.ts';
import { OneOf } from './schemas.ts';
import { RUN_STATES, type Verification } from './verification-routes.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const OverviewSchema = Named(
  'Overview',
  Type.Object({
    merchantsToReview: count('Merchants whose details wait for a decision.'),
    unknownOutcomes: count('Payouts whose outcome people have to decide.'),
    proposalsForMe: count('Proposed outcomes that another person made and that wait for a second one.'),
    unknownRefunds: count('Refunds whose outcome people have to decide.'),
    refundProposalsForMe: count(
      'Proposed outcomes of refunds that another person made and that wait for a second one.',
    ),
    manualCreditsForMe: count('Manual credits that another person proposed and that wait for a second one.'),
    moneyInSuspense: count('Payments in suspense and reported credits that people have to decide.'),
    suspenseForMe: count('Proposals about such money that another person made and that wait for a second one.'),
    disputesToLookAt: count(
      'Disputes that are not what they seem, for 30 days after their end, and those that two people entered and that run.',
    ),
    disputesReported: count('Reported disputes that are of no payment, or not what they seem.'),
    disputeProposalsForMe: count('Proposals about disputes that another person made and that wait for a second one.'),
    webhooksFailing: count('Webhook addresses that do not take what is sent.'),
    floatDifferences: count('Groups of rails whose last comparison with the books differs.'),
    railsDown: count('Rails that are in use and do not answer this process, or do not open.'),
    settlementToDecide: count('Lines of settlement files that differ from the books and wait for somebody.'),
    providerSettlementsForMe: count(
      'Settlements of providers that another person recorded and that wait for a second one.',
    ),
    providerLinesToDecide: count('Lines of applied settlements of providers that differ and wait for somebody.'),
    merchantsWaiting: Type.Array(
      Type.Object({
        merchantId: Uuid(),
        businessName: Type.String(),
        problems: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
      }),
      { description: 'Approved merchants, up to 20, whose live money waits for what only the operator can do.' },
    ),
    booksWrong: Type.Boolean({ description: 'The last proof that could be made found the books wrong.' }),
    lastVerify: Nullable(
      Type.Object({
        state: OneOf(RUN_STATES),
        startedAt: DateTime(),
        finishedAt: Nullable(DateTime()),
      }),
    ),
  }),
);

/** How much waits for the operator's staff at one moment, and how much of it for this person. */
async function readOverview(
  { database, rails, clock }: OperatorDeps,
  { personId, email }: Pick<Operator, 'personId' | 'email'>,
) {
  const named = await rails.listNamed();
  const [merchantsToReview, outcomes, refunds, manualCreditsForMe, suspense, disputes, disputeProposalsForMe, ...rest] =
    await database.snapshot((queries) =>
      Promise.all([
        countSubmitted(queries),
        countOutcomesToDecide(queries, personId),
        countRefundsToDecide(queries, personId),
        countCreditsToDecide(queries, personId),
        countSuspenseToDecide(queries, personId),
        countDisputesToLookAt(queries, clock.now()),
        countDisputeProposalsFor(queries, personId),
        countFailing(queries),
        readFloatStatus(queries),
        countUndecidedLines(queries),
        countProviderSettlementsToDecide(queries, email),
      ]),
    );
  const [webhooksFailing, floats, lines, settlements] = rest;
  return {
    merchantsToReview,
    unknownOutcomes: outcomes.beforeOperator,
    proposalsForMe: outcomes.proposals,
    unknownRefunds: refunds.beforeOperator,
    refundProposalsForMe: refunds.proposals,
    manualCreditsForMe,
    moneyInSuspense: suspense.waiting,
    suspenseForMe: suspense.proposals,
    disputesToLookAt: disputes.disputes,
    disputesReported: disputes.reported,
    disputeProposalsForMe,
    webhooksFailing,
    floatDifferences: floats.filter(({ difference_minor }) => difference_minor !== 0n).length,
    railsDown: named.filter(({ active, circuit, opens }) => active && (!opens || circuit === 'open')).length,
    settlementToDecide: lines,
    providerSettlementsForMe: settlements.toApply,
    providerLinesToDecide: settlements.lines,
  };
}

export function overviewRoutes(deps: OperatorDeps, verification: Verification): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/overview',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: ['Operator: overview'],
          operationId: 'getOperatorOverview',
          summary: 'What waits for the operator',
          response: answers(Success(OverviewSchema)),
        },
      },
      async (request, reply) => {
        const [counts, merchantsWaiting, last, booksWrong] = await Promise.all([
          readOverview(deps, request.operator),
          listWaitingMerchants(deps),
          verification.readLast(),
          verification.areBooksWrong(),
        ]);
        const lastVerify = last && { state: last.state, startedAt: last.startedAt, finishedAt: last.finishedAt };
        return sendAnswer(
          reply,
          success('Success', {
            ...counts,
            merchantsWaiting: merchantsWaiting.map(waitingView),
            booksWrong,
            lastVerify,
          }),
        );
      },
    );
  };
}

const waitingView = ({ merchantId, businessName, problems }: WaitingMerchant) => ({
  merchantId,
  businessName,
  problems: problems.map(({ code, message }) => ({ code, message })),
});
