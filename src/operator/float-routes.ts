import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Money, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { type FloatCheckRow, readFloatChecks, readFloatStatus, reconcileFloat } from '../reconciliation/index.ts';
import type { OperatorDeps } from './deps.ts';
import { readNamesOf } from './lookups.ts';
import { ModeName, OneOf } from './schemas.ts';
import { floatCheckView } from './views.ts';

const ListFloatQuery = Type.Object(listQuery(), { additionalProperties: false });

const FloatCheckSchema = Named(
  'FloatCheck',
  Type.Object({
    checkId: Uuid(),
    rails: Type.Array(Type.String(), { description: 'Compared together: our books keep one float a mode.' }),
    mode: ModeName(),
    merchantId: Nullable(Uuid('Whose books, where the rail keeps merchants apart; null is all.')),
    businessName: Nullable(Type.String({ description: 'Of the merchant.' })),
    railBalance: Money('What the rails say.'),
    float: Money('What our books say was put there, less what files confirmed.'),
    unsettled: Money('Paid by our books and confirmed by no file yet.'),
    expected: Money('What the rails should say: float less unsettled.'),
    held: Money('Held for payouts without an outcome: some of it may have left.'),
    receivable: Nullable(
      Money('What providers owe of payments in that are not settled: some of it may lie with the rail already.'),
    ),
    difference: Money('What the rails say less what they should say.'),
    verdict: OneOf([
      'AGREES',
      'EXPLAINED_BY_HELD',
      'EXPLAINED_BY_RECEIVABLES',
      'RAILS_HAVE_LESS',
      'RAILS_HAVE_MORE',
    ] as const),
    checkedBy: Type.String(),
    checkedAt: DateTime(),
  }),
);

const FloatSchema = Named(
  'Float',
  Type.Object({
    latest: Type.Array(FloatCheckSchema, {
      description: 'The last comparison of each group of rails, until one of them is compared in another group.',
    }),
    history: ListPage(FloatCheckSchema),
  }),
);

const CheckFloatBody = Type.Object(
  {
    rails: Type.Array(Type.String({ maxLength: 40, examples: ['sandbox'] }), {
      minItems: 1,
      maxItems: 20,
      description: 'All rails that pay in this mode.',
    }),
    mode: ModeName(),
    merchantId: Type.Optional(Nullable(Uuid('The sandbox rail keeps each merchant apart.'))),
  },
  { additionalProperties: false },
);

const CheckedFloatSchema = Named(
  'CheckedFloat',
  Type.Object({
    check: FloatCheckSchema,
    before: Nullable(FloatCheckSchema),
  }),
);

const TAGS = ['Operator: float'];

export function floatRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/operator/float',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: TAGS,
          operationId: 'getFloat',
          summary: 'Where the rails’ balances stand against our books',
          querystring: ListFloatQuery,
          response: answers(Success(FloatSchema)),
        },
      },
      async (request, reply) => {
        const asked = listRequest(request.query);
        const [latest, found] = await database.snapshot((queries) =>
          Promise.all([readFloatStatus(queries), readFloatChecks(queries, asked)]),
        );
        const names = await readNamesOf(database, [...latest, ...found.rows]);
        const view = (row: FloatCheckRow) => floatCheckView(row, names);
        return sendAnswer(reply, success('Success', { latest: latest.map(view), history: listView(found, view) }));
      },
    );
    app.post(
      '/operator/float/check',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'checkFloat',
          summary: 'Compare the rails’ balance with our books now, and keep the result',
          body: CheckFloatBody,
          response: answers(Success(CheckedFloatSchema)),
        },
      },
      async (request, reply) => {
        const { rails, mode, merchantId } = request.body;
        const { check, before } = await reconcileFloat(deps, {
          rails,
          mode,
          merchantId: merchantId ?? null,
          checkedBy: request.operator.email,
        });
        const names = await readNamesOf(database, [check]);
        const data = {
          check: floatCheckView(check, names),
          before: before === undefined ? null : floatCheckView(before, names),
        };
        return sendAnswer(reply, success('The float is compared', data));
      },
    );
  };
}
