import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { changeMerchantStatus } from '../../merchants/index.ts';
import { decideOnboarding } from '../../onboarding/index.ts';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import type { OperatorDeps } from '../deps.ts';
import { DONE, Done, MerchantParams } from '../schemas.ts';
import { ApproveQuery, ReasonBody } from './schemas.ts';

const TAGS = ['Operator: merchants'];
const access = { operator: true, fresh: true, audit: 'SETTINGS' } as const;

type Action = 'approve' | 'reject' | 'suspend' | 'reinstate';

/** What the operator decides about a merchant. Each takes effect on every process within two seconds. */
export function decisionRoutes({ database, secrets, clock }: OperatorDeps): FastifyPluginAsyncTypebox {
  async function decide(
    request: FastifyRequest,
    reply: FastifyReply,
    { action, message, reason, seen }: { action: Action; message: string; reason?: string; seen?: Date | undefined },
  ): Promise<FastifyReply> {
    const { merchantId } = request.params as { merchantId: string };
    const input = { merchantId, actor: request.operator.email, reason, seen };
    if (action === 'approve' || action === 'reject')
      await decideOnboarding({ database, secrets, clock }, action, input);
    else await changeMerchantStatus({ queries: database, clock }, action, input);
    return sendAnswer(reply, success(message, DONE));
  }

  return async (app) => {
    app.post(
      '/operator/merchant/:merchantId/approve',
      {
        config: { access },
        schema: {
          tags: TAGS,
          operationId: 'approveMerchant',
          summary: 'Accept a merchant, or the changes that an accepted one wants',
          params: MerchantParams,
          querystring: ApproveQuery,
          response: answers(Success(Done)),
        },
      },
      (request, reply) => {
        const { submittedAt } = request.query;
        const seen = submittedAt === undefined ? undefined : new Date(submittedAt);
        return decide(request, reply, { action: 'approve', message: 'The merchant is approved', seen });
      },
    );
    app.post(
      '/operator/merchant/:merchantId/reject',
      {
        config: { access },
        schema: {
          tags: TAGS,
          operationId: 'rejectMerchant',
          summary: 'Turn a merchant down, with the reason that it reads; it can correct its details and ask again',
          params: MerchantParams,
          body: ReasonBody,
          response: answers(Success(Done)),
        },
      },
      (request, reply) =>
        decide(request, reply, { action: 'reject', message: 'The merchant is rejected', reason: request.body.reason }),
    );
    app.post(
      '/operator/merchant/:merchantId/suspend',
      {
        config: { access },
        schema: {
          tags: TAGS,
          operationId: 'suspendMerchant',
          summary: 'Stop a merchant within two seconds',
          params: MerchantParams,
          body: ReasonBody,
          response: answers(Success(Done)),
        },
      },
      (request, reply) =>
        decide(request, reply, {
          action: 'suspend',
          message: 'The merchant is suspended',
          reason: request.body.reason,
        }),
    );
    app.post(
      '/operator/merchant/:merchantId/reinstate',
      {
        config: { access },
        schema: {
          tags: TAGS,
          operationId: 'reinstateMerchant',
          summary: 'End a suspension',
          params: MerchantParams,
          response: answers(Success(Done)),
        },
      },
      (request, reply) => decide(request, reply, { action: 'reinstate', message: 'The merchant is active again' }),
    );
  };
}
