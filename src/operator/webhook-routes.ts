import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { type FailingEndpointRow, readFailingEndpoints } from '../webhooks/index.ts';
import type { OperatorDeps } from './deps.ts';
import { readNamesOf } from './lookups.ts';
import { ModeName, OneOf } from './schemas.ts';

const ListFailingQuery = Type.Object(listQuery(), { additionalProperties: false });

const FailingEndpointSchema = Named(
  'FailingEndpoint',
  Type.Object({
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    url: Type.String({ description: 'Without what follows a question mark, which may be a secret.' }),
    status: OneOf(['ENABLED', 'DISABLED'] as const, 'Disabled: the receiver said that it is gone for good.'),
    reason: Nullable(Type.String()),
    failuresInARow: Type.Integer(),
    waiting: Type.Integer({ description: 'Tellings that have not arrived; counted to 10,000.' }),
    since: Nullable(DateTime('When the oldest of them was begun.')),
    pausedUntil: Nullable(DateTime()),
    lastCall: Nullable(
      Type.Object({
        at: DateTime(),
        statusCode: Nullable(Type.Integer({ description: 'Null: no answer came.' })),
        error: Nullable(Type.String()),
      }),
    ),
  }),
);

function failingEndpointView(row: FailingEndpointRow, names: ReadonlyMap<string, string>) {
  return {
    merchantId: row.merchant_id,
    businessName: names.get(row.merchant_id) ?? null,
    mode: row.mode,
    url: row.url.split('?', 1).join(''),
    status: row.status,
    reason: row.reason,
    failuresInARow: row.failures_in_a_row,
    waiting: row.waiting,
    since: row.since?.toISOString() ?? null,
    pausedUntil: row.paused_until?.toISOString() ?? null,
    lastCall:
      row.last_at === null
        ? null
        : { at: row.last_at.toISOString(), statusCode: row.last_status_code, error: row.last_error },
  };
}

export function webhookRoutes({ database }: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/webhook/failing',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: ['Operator: webhooks'],
          operationId: 'listFailingWebhooks',
          summary: 'Webhook addresses that do not take what is sent, what waits longest first',
          querystring: ListFailingQuery,
          response: answers(Success(ListPage(FailingEndpointSchema))),
        },
      },
      async (request, reply) => {
        const found = await readFailingEndpoints(database, listRequest(request.query));
        const names = await readNamesOf(database, found.rows);
        return sendAnswer(
          reply,
          success(
            'Success',
            listView(found, (row) => failingEndpointView(row, names)),
          ),
        );
      },
    );
  };
}
