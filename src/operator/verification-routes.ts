import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { OneOf } from './schemas.ts';
import type { Verification } from './verification.ts';

const Check = Type.Object({
  name: Type.String({ description: 'Stable, for programs.', examples: ['debits-equal-credits'] }),
  sentence: Type.String({ description: 'What holds when nothing is found.' }),
  ok: Type.Boolean(),
  violations: Type.Integer(),
  examples: Type.Array(Type.Object({ merchantId: Type.String(), mode: Type.String(), detail: Type.String() }), {
    description: 'At most 20; amounts in kobo.',
  }),
});

const VerifyRunSchema = Named(
  'VerifyRun',
  Type.Object({
    runId: Uuid(),
    state: OneOf(['RUNNING', 'RIGHT', 'WRONG', 'FAILED'] as const, 'FAILED: it could not be made.'),
    startedAt: DateTime(),
    finishedAt: Nullable(DateTime()),
    durationMs: Type.Integer(),
    startedBy: Type.String(),
    checksInAll: Type.Integer(),
    checks: Type.Array(Check, { description: 'As far as it has come.' }),
    sizes: Nullable(
      Type.Object({
        books: Type.Integer(),
        accounts: Type.Integer(),
        transfers: Type.Integer(),
        transactions: Type.Integer(),
      }),
    ),
  }),
);

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
