import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import type { Database } from '../platform/db/database.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { ReserveQuery, ReserveSchema } from './schemas.ts';
import { readReserve } from './views.ts';

export function reserveRoutes({ database }: { database: Database }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/collection/reserve',
      {
        config: { access: { scope: 'collection:read' } },
        schema: {
          tags: ['Collections'],
          operationId: 'getCollectionReserve',
          summary: 'What is kept of payments that came in, and when it comes back',
          description:
            'The operator may keep a part of payments, such as those by card, against chargebacks for some days. It is ' +
            'yours: it moves from the wallet with the credit and comes back by itself on its day.',
          querystring: ReserveQuery,
          response: answers(Success(ReserveSchema)),
        },
      },
      async (request, reply) => {
        const found = await readReserve(database, request.principal.tenant, request.query.walletId);
        return sendAnswer(reply, success('Success', found));
      },
    );
  };
}
