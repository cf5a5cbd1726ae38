import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listEvents } from '../ledger/index.ts';
import { type Answer, successJson } from '../platform/answer.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { Tenant } from '../platform/tenant.ts';
import { DEFAULT_EVENTS, EventPageSchema, ListEventsQuery } from './schemas.ts';
import { payloadOf } from './sign.ts';

/** The log of events behind a sequence, in order, each with the text that is sent to the webhook address. */
async function readEvents(
  queries: Queries,
  tenant: Tenant,
  search: { after?: number; limit?: number; type?: string },
): Promise<Answer> {
  const { after = 0, limit = DEFAULT_EVENTS, type } = search;
  const { events, readTo, lastSequence } = await listEvents(queries, tenant, { after: BigInt(after), limit, type });
  const records = events.map((event) => payloadOf(event, tenant.mode)).join(',');
  return successJson('Success', `{"records":[${records}],"nextAfter":${readTo},"hasMore":${readTo < lastSequence}}`);
}

export function eventRoutes(deps: { database: Database }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/event',
      {
        config: { access: { scope: 'event:read' } },
        schema: {
          tags: ['Events'],
          operationId: 'listEvents',
          summary: 'The log of events, in the order they happened',
          description:
            'Every change, from any sequence on, with the bytes that webhooks carry. Pass nextAfter as after until hasMore is false: nothing is ever left out.',
          querystring: ListEventsQuery,
          response: answers(Success(EventPageSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, await readEvents(deps.database, request.principal.tenant, request.query)),
    );
  };
}
