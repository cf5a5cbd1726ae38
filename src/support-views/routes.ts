import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { answers, DateTime, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { readSupportViews, supportViewView } from './support-views.ts';

export const SupportViewSchema = Named(
  'SupportView',
  Type.Object({
    supportViewId: Uuid(),
    mode: Type.Enum(['SANDBOX', 'LIVE']),
    by: Type.String({ description: 'Who of the operator’s staff.', examples: ['Amaka Eze'] }),
    reason: Type.String({ examples: ['You asked why a payout of 12 May is unknown.'] }),
    openedAt: DateTime(),
    expiresAt: DateTime('When it ends at the latest.'),
    endedAt: Nullable(DateTime('When it was ended before its time.')),
    isOpen: Type.Boolean({ description: 'False also where its session has ended.' }),
  }),
);

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
