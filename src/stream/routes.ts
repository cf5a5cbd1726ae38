import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { sessionExpired, sessionSecretOf } from '../access/index.ts';
import type { Streams } from './streams.ts';

const streamAnswers: Record<'200', object> = {
  200: {
    description: 'Server-sent events, for as long as the page is open.',
    content: { 'text/event-stream': { schema: Type.String() } },
  },
};

/** Notifies open pages of the dashboard of what has changed. */
export function streamRoutes({ streams }: { streams: Streams }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('preClose', async () => streams.close());
    app.get(
      '/stream',
      {
        // It would be answered at once, and the stream behind it never read.
        exposeHeadRoute: false,
        config: { access: { scope: null, person: true, own: true, beforeApproval: true } },
        schema: {
          tags: ['Dashboard: what happened'],
          operationId: 'openStream',
          summary: 'What changes, as it happens',
          description:
            'Server-sent events of this business in this mode: `ready`, then `change` with the topics that changed, as far as ' +
            'the role may read them, and `end` with a reason. `Last-Event-ID` brings what was missed.',
          headers: Type.Object({ 'last-event-id': Type.Optional(Type.String({ maxLength: 40 })) }),
          response: streamAnswers,
        },
      },
      async (request, reply) => {
        const secret = sessionSecretOf(request);
        if (secret === undefined) throw sessionExpired();
        const { principal, headers } = request;
        const body = await streams.open({ principal, secret, lastEventId: headers['last-event-id'] });
        // A proxy that gathers answers would keep what changed from the page.
        return reply
          .header('content-type', 'text/event-stream; charset=utf-8')
          .header('x-accel-buffering', 'no')
          .header('connection', 'close')
          .send(body);
      },
    );
  };
}
