import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { closeCreditProposal, closePaymentProposal } from '../suspense/index.ts';
import type { OperatorDeps } from './deps.ts';
import { DONE, Done } from './schemas.ts';
import { CloseForCreditBody, ClosePaymentBody } from './suspense-schemas.ts';

const TAGS = ['Operator: money in'];

/** The two ways of a proposal to end without an effect. */
const CLOSES = [
  { step: 'reject', status: 'REJECTED', about: 'Turn down a proposal that another person made', done: 'rejected' },
  { step: 'withdraw', status: 'WITHDRAWN', about: 'Take back a proposal that you made', done: 'withdrawn' },
] as const;

export function suspenseCloseRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const { step, status, about, done } of CLOSES) {
      app.post(
        `/operator/suspense/payment/${step}`,
        {
          config: { access: { operator: true } },
          schema: {
            tags: TAGS,
            operationId: `${step}ForPayment`,
            summary: `${about}, about a payment in suspense`,
            body: ClosePaymentBody,
            response: answers(Success(Done)),
          },
        },
        async (request, reply) => {
          const { merchantId, mode, ...decision } = request.body;
          const { personId } = request.operator;
          await closePaymentProposal(deps, { tenant: { merchantId, mode }, ...decision, status, personId });
          return sendAnswer(reply, success(`The proposal is ${done}`, DONE));
        },
      );
      app.post(
        `/operator/suspense/credit/${step}`,
        {
          config: { access: { operator: true } },
          schema: {
            tags: TAGS,
            operationId: `${step}ForCredit`,
            summary: `${about}, about a reported credit`,
            body: CloseForCreditBody,
            response: answers(Success(Done)),
          },
        },
        async (request, reply) => {
          await closeCreditProposal(deps, { ...request.body, status, personId: request.operator.personId });
          return sendAnswer(reply, success(`The proposal is ${done}`, DONE));
        },
      );
    }
  };
}
