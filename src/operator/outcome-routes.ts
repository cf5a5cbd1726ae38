import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { confirmOutcome, proposeOutcome, rejectProposal } from '../outcomes/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import type { OperatorDeps } from './deps.ts';
import {
  ConfirmedSchema,
  ConfirmOutcomeBody,
  EvidenceParams,
  EvidenceQuery,
  ListOutcomesQuery,
  OpenOutcomeSchema,
  OutcomeEvidenceSchema,
  ProposedSchema,
  ProposeOutcomeBody,
  RejectOutcomeBody,
} from './outcome-schemas.ts';
import { readEvidenceOf, readOutcomes } from './outcome-views.ts';
import { DONE, Done } from './schemas.ts';

/** What was said about a payout, by whom and when, so that two people can decide. */
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
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readEvidenceOf(deps, request.query, request.params.payoutId))),
    );
  };
}

const TAGS = ['Operator: outcomes'];

/** Payouts whose outcome nobody knows: one person says what became of it, another confirms. */
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
        const asked = { all: request.query.all === true, personId: request.operator.personId };
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
