import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { confirmForCredit, proposeForCredit } from '../suspense/index.ts';
import type { OperatorDeps } from './deps.ts';
import {
  ConfirmedCreditSchema,
  ConfirmForCreditBody,
  ProposedSuspenseSchema,
  ProposeForCreditBody,
} from './suspense-schemas.ts';

const TAGS = ['Operator: money in'];

/** Of reported credits that are in no merchant's books. */
export function suspenseCreditRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/suspense/credit/propose',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'proposeForCredit',
          summary: 'Say what becomes of a reported credit and how you know; another person has to confirm it',
          body: ProposeForCreditBody,
          response: answers(Success(ProposedSuspenseSchema)),
        },
      },
      async (request, reply) => {
        const proposed = await proposeForCredit(deps, { ...request.body, personId: request.operator.personId });
        request.auditSubject = { ...proposed };
        return sendAnswer(reply, success('Nothing has moved: another person confirms it', proposed));
      },
    );
    app.post(
      '/operator/suspense/credit/confirm',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'confirmForCredit',
          summary: 'Confirm another person’s proposal about a reported credit; what is attributed is credited at once',
          body: ConfirmForCreditBody,
          response: answers(Success(ConfirmedCreditSchema)),
        },
      },
      async (request, reply) => {
        const confirmed = await confirmForCredit(deps, { ...request.body, personId: request.operator.personId });
        request.auditSubject = { ...confirmed };
        deps.wake();
        return sendAnswer(reply, success('The decision is made', confirmed));
      },
    );
  };
}
