import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { SupportViewSchema } from './schemas.ts';
import { readSupportViews } from './support-views.ts';
import { supportViewView } from './views.ts';

/** Who of the operator's staff looks at a merchant's pages, for the merchant's people. */
export function supportViewRoutes(deps: { database: Queries; clock: Clock }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/support-view',
      {
        config: { access: { scope: null, person: true, beforeApproval: true } },
        schema: {
          tags: ['Dashboard: what happened'],
          operationId: 'listSupportViews',
          summary: 'Who of the operator’s staff looked at your pages, the last 50 times, newest first',
          response: answers(Success(Type.Array(SupportViewSchema))),
        },
      },
      async (request, reply) => {
        const rows = await readSupportViews(deps, request.principal.tenant.merchantId);
        return sendAnswer(reply, success('Success', rows.map(supportViewView)));
      },
    );
  };
}
