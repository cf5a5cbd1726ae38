import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireMerchant } from '../merchants/index.ts';
import { success } from '../platform/answer.ts';
import { answers, DateTime, MoneySum, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { readKept, readReserveRules, setReserveRule } from '../reserves/index.ts';
import type { OperatorDeps } from './deps.ts';
import { readNamesOf } from './lookups.ts';
import { MaybeChannel, ModeName, Reason } from './schemas.ts';
import { reserveRuleView, reserveTotalView } from './views.ts';

const ListReserveRulesQuery = Type.Object(
  { merchantId: Type.Optional(Uuid('Only what this merchant goes by: its own rules and those of all.')) },
  { additionalProperties: false },
);

const Rate = () =>
  Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Of the payment, in hundredths of a percent: 1000 is 10 %. 0 keeps nothing.',
    examples: [1_000],
  });

const Days = () =>
  Type.Integer({
    minimum: 1,
    maximum: 730,
    description: 'From the day in Lagos of the credit to the day on which it comes back.',
    examples: [90],
  });

const ReserveRuleSchema = Named(
  'ReserveRule',
  Type.Object({
    ruleId: Uuid(),
    merchantId: Nullable(Uuid('Null: all merchants.')),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    channel: MaybeChannel(),
    rateBasisPoints: Rate(),
    days: Days(),
    effectiveFrom: DateTime('Until the next one of the same merchant, or of all, and the same channel.'),
    source: Type.String({ description: 'Why, and who said so.' }),
  }),
);

const SetReserveRuleBody = Type.Object(
  {
    merchantId: Type.Union([Uuid(), Type.Null()], { description: 'Null: all merchants without rules of their own.' }),
    mode: ModeName(),
    channel: Type.Optional(MaybeChannel()),
    rateBasisPoints: Rate(),
    days: Days(),
    effectiveFrom: Type.Optional(DateTime('At least two minutes ahead. Left out: in two minutes.')),
    reason: Reason(),
  },
  { additionalProperties: false },
);

const ListKeptQuery = Type.Object(listQuery(), { additionalProperties: false });

const ReserveTotalSchema = Named(
  'ReserveTotal',
  Type.Object({
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    amount: MoneySum('What is kept of its payments.'),
    payments: Type.Integer({ description: 'Of how many.' }),
    nextReleaseOn: Type.String({ format: 'date', description: 'The day in Lagos on which some of it comes back.' }),
    currency: Type.Literal('NGN'),
  }),
);

const TAGS = ['Operator: reserves'];

/** Reserves of payments in against chargebacks: their rules and their amounts. */
export function reserveOperatorRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/operator/reserve/rule',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listReserveRules',
          summary: 'How much of payments in is kept, and for how long: past and future rules among them',
          querystring: ListReserveRulesQuery,
          response: answers(Success(Named('ReserveRules', Type.Object({ records: Type.Array(ReserveRuleSchema) })))),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.query;
        const rules = (await readReserveRules(database)).filter(
          (rule) => merchantId === undefined || [null, merchantId].includes(rule.merchantId),
        );
        const names = await readNamesOf(database, rules);
        return sendAnswer(reply, success('Success', { records: rules.map((rule) => reserveRuleView(rule, names)) }));
      },
    );
    app.post(
      '/operator/reserve/rule',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        schema: {
          tags: TAGS,
          operationId: 'setReserveRule',
          summary: 'Say how much of payments in is kept, and for how long, from a moment that is ahead on',
          description: 'Adds a dated rule; what was kept before stays kept until its day.',
          body: SetReserveRuleBody,
          response: answers(Success(ReserveRuleSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, channel = null, rateBasisPoints, days, effectiveFrom, reason } = request.body;
        if (merchantId !== null) await requireMerchant(database, merchantId);
        const rule = await setReserveRule(deps, {
          ...{ merchantId, mode, channel, rateBasisPoints, days },
          effectiveFrom: effectiveFrom === undefined ? undefined : new Date(effectiveFrom),
          source: `${reason}, ${request.operator.email}`,
        });
        const names = await readNamesOf(database, [{ merchantId }]);
        return sendAnswer(reply, success('The rule is set', reserveRuleView(rule, names)));
      },
    );
    app.get(
      '/operator/reserve',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listReserveTotals',
          summary: 'What is kept of each merchant’s payments in, the most first',
          querystring: ListKeptQuery,
          response: answers(Success(ListPage(ReserveTotalSchema))),
        },
      },
      async (request, reply) => {
        const found = await readKept(database, listRequest(request.query));
        const names = await readNamesOf(database, found.rows);
        return sendAnswer(
          reply,
          success(
            'Success',
            listView(found, (row) => reserveTotalView(row, names)),
          ),
        );
      },
    );
  };
}
