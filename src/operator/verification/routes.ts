import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../../platform/answer.ts';
import { answers, Nullable, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import { VerifyRunSchema } from './schemas.ts';
import type { Verification } from './verification.ts';

const TAGS = ['Operator: money safety'];

export function verificationRoutes(verification: Verification): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/verify',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: TAGS,
          operationId: 'getVerification',
          summary: 'The proof of the books that is being made, or the last one; null before the first',
          response: answers(Success(Nullable(VerifyRunSchema))),
        },
      },
      async (_request, reply) => sendAnswer(reply, success('Success', await verification.readLast())),
    );
    app.post(
      '/operator/verify',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'startVerification',
          summary: 'Prove that the books are right; while a proof is being made, that one',
          response: answers(Success(VerifyRunSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('The proof is being made', verification.start(request.operator.email))),
    );
  };
}
