import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  confirmDisputeProposal,
  proposeDispute,
  proposeDisputeEnd,
  rejectDisputeProposal,
} from '../dispute-proposals/index.ts';
import { parseAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import type { OperatorDeps } from './deps.ts';
import {
  ConfirmDisputeBody,
  ConfirmedDisputeSchema,
  DisputeProposalSchema,
  ProposeDisputeBody,
  ProposeDisputeEndBody,
  RejectDisputeBody,
} from './dispute-proposal-schemas.ts';
import { readDisputeProposals } from './dispute-views.ts';
import { ProposedSchema } from './proposal-schemas.ts';
import { DONE, Done } from './schemas.ts';

const TAGS = ['Operator: money in'];

/** Disputes of providers that cannot be asked: one person says what is known, another confirms. */
export function disputeProposalRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/dispute/proposal',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listDisputeProposals',
          summary: 'What was proposed about disputes and waits for a second person, longest first',
          querystring: Type.Object(listQuery(), { additionalProperties: false }),
          response: answers(Success(ListPage(DisputeProposalSchema))),
        },
      },
      async (request, reply) => {
        const { personId } = request.operator;
        return sendAnswer(
          reply,
          success('Success', await readDisputeProposals(deps, personId, listRequest(request.query))),
        );
      },
    );
    app.post(
      '/operator/dispute/propose',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'proposeDispute',
          summary: 'Enter a dispute of a provider that cannot be asked; another person has to confirm it',
          body: ProposeDisputeBody,
          response: answers(Success(ProposedSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, amount, message, dueAt, ...given } = request.body;
        const proposed = await proposeDispute(deps, {
          ...given,
          tenant: { merchantId, mode },
          amountMinor: parseAmount(amount),
          message: message ?? null,
          dueAt: dueAt === undefined ? null : new Date(dueAt),
          personId: request.operator.personId,
        });
        return sendAnswer(reply, success('Nothing is held yet: another person confirms it', proposed));
      },
    );
    await addRoutes(app, decisionRoutes(deps));
  };
}

function decisionRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/dispute/propose-end',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'proposeDisputeEnd',
          summary: 'Say how a dispute ended whose provider cannot be asked; another person has to confirm it',
          body: ProposeDisputeEndBody,
          response: answers(Success(ProposedSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...said } = request.body;
        const { personId } = request.operator;
        const proposed = await proposeDisputeEnd(deps, { ...said, tenant: { merchantId, mode }, personId });
        return sendAnswer(reply, success('Nothing has moved: another person confirms it', proposed));
      },
    );
    app.post(
      '/operator/dispute/confirm',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'confirmDisputeProposal',
          summary: 'Confirm what another person proposed about a dispute; it is opened or ended at once',
          body: ConfirmDisputeBody,
          response: answers(Success(ConfirmedDisputeSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...shown } = request.body;
        const { personId } = request.operator;
        const confirmed = await confirmDisputeProposal(deps, { tenant: { merchantId, mode }, ...shown, personId });
        request.auditSubject = { disputeId: confirmed.disputeId };
        deps.wake();
        return sendAnswer(reply, success('It is in the books', confirmed));
      },
    );
    app.post(
      '/operator/dispute/reject',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'rejectDisputeProposal',
          summary: 'Turn down what was proposed about a dispute, or take your own back',
          body: RejectDisputeBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...decision } = request.body;
        const { personId } = request.operator;
        await rejectDisputeProposal(deps, { tenant: { merchantId, mode }, ...decision, personId });
        return sendAnswer(reply, success('The proposal is rejected', DONE));
      },
    );
  };
}
