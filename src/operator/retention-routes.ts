import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { answers, Named, Nullable, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { readRetention } from '../retention/index.ts';
import type { OperatorDeps } from './deps.ts';

const KeptSchema = Named(
  'KeptData',
  Type.Object({
    what: Type.String(),
    days: Nullable(Type.Integer({ description: 'Then it is removed. Null: never by the service.' })),
    setting: Nullable(Type.String({ examples: ['RETAIN_MAILS_DAYS'] })),
    minimumDays: Nullable(Type.Integer({ description: 'The least that the setting takes.' })),
    why: Type.String({ description: 'Why it is kept at least so long.' }),
  }),
);

/** How long each kind of data is kept. */
export function retentionRoutes({ retention }: Pick<OperatorDeps, 'retention'>): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/retention',
      {
        config: { access: { operator: true } },
        schema: {
          tags: ['Operator: compliance'],
          operationId: 'getRetention',
          summary: 'What is kept for how long',
          description: 'By the settings of the service, which are the same in all of its processes.',
          response: answers(Success(Type.Object({ kept: Type.Array(KeptSchema) }))),
        },
      },
      async (_request, reply) => sendAnswer(reply, success('Success', { kept: readRetention(retention) })),
    );
  };
}
