import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Database } from '../platform/db/database.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { readEvents } from './read-events.ts';
import { EventPageSchema, ListEventsQuery } from './schemas.ts';

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
