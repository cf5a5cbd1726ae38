import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import type { LimitDeps } from './read-limits.ts';
import { LimitSchema } from './schemas.ts';
import { showLimit } from './show-limit.ts';

export function limitRoutes(deps: LimitDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/limit',
      {
        config: { access: { scope: 'payout:read', service: 'PAYOUT' } },
        schema: {
          tags: ['Payouts'],
          summary: 'Limits a payout and a day, and what is left today',
          response: answers(Success(LimitSchema)),
        },
      },
      async (request, reply) => sendAnswer(reply, await showLimit(deps, request.principal.tenant)),
    );
  };
}
