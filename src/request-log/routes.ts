import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import type { Database } from '../platform/db/database.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { RequestLogPage, RequestLogQuery } from './schemas.ts';
import { readRequests } from './views.ts';

export function requestLogRoutes({ database }: { database: Database }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/request-log',
      {
        config: { access: { scope: null, permission: 'request:read', beforeApproval: true } },
        schema: {
          tags: ['Dashboard: request log'],
          operationId: 'listRequests',
          summary: 'What your programs asked in this mode during the last week, newest first',
          querystring: RequestLogQuery,
          response: answers(Success(RequestLogPage)),
        },
      },
      async (request, reply) => {
        const { status, keyId } = request.query;
        const filter = { status: statusesOf(status), keyId, ...parsePeriod(request.query) };
        const { tenant } = request.principal;
        const found = await readRequests(database, tenant, filter, listRequest(request.query));
        return sendAnswer(reply, success('Success', found));
      },
    );
  };
}

/** `422` is itself, `4xx` all from 400 to before 500. */
function statusesOf(status: string | undefined): [number, number] | undefined {
  if (status === undefined) return undefined;
  const first = Number(status.replace('xx', '00'));
  return [first, status.endsWith('xx') ? first + 100 : first + 1];
}
