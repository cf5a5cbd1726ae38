import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  COOLING_OFF_SECONDS,
  listRules,
  readSettlementStates,
  STATE_FILTERS,
  setRule,
  WINDOW_SECONDS,
} from '../merchant-settlements/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import { parseAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { Amount, answers, DateTime, Money, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import type { OperatorDeps } from './deps.ts';
import { readNamesOf } from './lookups.ts';
import { stateView, termsView } from './merchant-settlement-views.ts';
import { ModeName, OneOf, Reason } from './schemas.ts';

const TAGS = ['Operator: settlements to merchants'];

const StatesQuery = Type.Object(
  {
    ...listQuery(),
    mode: Type.Optional(ModeName()),
    state: Type.Optional(OneOf(STATE_FILTERS, 'PAUSED: something stands against them. FAILED: one or more failed.')),
  },
  { additionalProperties: false },
);

const StateSchema = Named(
  'SettlementState',
  Type.Object({
    merchantId: Uuid(),
    businessName: Type.String(),
    mode: ModeName(),
    schedule: OneOf(['OFF', 'DAILY', 'INSTANT'] as const),
    nextAt: Nullable(DateTime('Null: nothing is due by itself, or it is paused.')),
    pausedReason: Nullable(Type.String()),
    pausedWords: Nullable(Type.String()),
    pausedSince: Nullable(DateTime()),
    lastResult: Nullable(Type.String({ description: 'Why the last turn made no settlement.' })),
    failed: Type.Integer({ description: 'Settlements that failed and are to be tried again.' }),
    processing: Type.Integer({ description: 'Settlements under way.' }),
    last: Nullable(
      Type.Object({
        settlementId: Uuid(),
        number: Type.Integer(),
        status: Type.String(),
        reason: Nullable(Type.String()),
        amount: Nullable(Money('What its payout takes to the bank.')),
        createdAt: Nullable(DateTime()),
      }),
    ),
  }),
);

const TermsSchema = Named(
  'SettlementTerms',
  Type.Object({
    ruleId: Uuid(),
    merchantId: Nullable(Uuid('Null: all merchants.')),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    enabled: Type.Boolean({ description: 'False: nothing is settled.' }),
    minimum: Money('Less than this is not settled.'),
    windowSeconds: Type.Integer({ description: 'Payments of so long go together where they are settled at once.' }),
    coolingOffSeconds: Type.Integer({
      description: 'So long after another settlement account was accepted nothing is settled to it.',
    }),
    effectiveFrom: DateTime('Until the next one of the same merchant, or of all.'),
    source: Type.String({ description: 'Why, and who said so.' }),
  }),
);

const asBefore = 'Left out: as it would be at that moment.';

const SetTermsBody = Type.Object(
  {
    merchantId: Type.Union([Uuid(), Type.Null()], { description: 'Null: all merchants without terms of their own.' }),
    mode: ModeName(),
    enabled: Type.Optional(Type.Boolean({ description: `False: nothing is settled. ${asBefore}` })),
    minimum: Type.Optional(Amount(`Naira that a settlement is at least. ${asBefore}`)),
    windowSeconds: Type.Optional(Type.Integer({ ...WINDOW_SECONDS, description: asBefore })),
    coolingOffSeconds: Type.Optional(Type.Integer({ ...COOLING_OFF_SECONDS, description: asBefore })),
    effectiveFrom: Type.Optional(DateTime('Left out: now.')),
    reason: Reason(),
  },
  { additionalProperties: false },
);

/** Settlements to the banks of merchants: where each stands, and the operator's terms of them. */
export function merchantSettlementRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/operator/merchant-settlement',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listSettlementStates',
          summary: 'Where the settlements of each merchant stand, and what holds them',
          querystring: StatesQuery,
          response: answers(Success(ListPage(StateSchema))),
        },
      },
      async (request, reply) => {
        const { query } = request;
        const wanted = { mode: query.mode ?? 'LIVE', state: query.state ?? 'ALL' };
        const found = await readSettlementStates(database, wanted, listRequest(query));
        return sendAnswer(reply, success('Success', listView(found, stateView)));
      },
    );
    app.get(
      '/operator/settlement-terms',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listSettlementTerms',
          summary: 'The terms of settlements: of all merchants and of single ones, past and future ones among them',
          querystring: Type.Object(
            { merchantId: Type.Optional(Uuid('Only what this merchant goes by.')) },
            { additionalProperties: false },
          ),
          response: answers(Success(Named('SettlementTermsList', Type.Object({ records: Type.Array(TermsSchema) })))),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.query;
        const rules = (await listRules(database)).filter(
          (rule) => merchantId === undefined || [null, merchantId].includes(rule.merchantId),
        );
        const names = await readNamesOf(database, rules);
        return sendAnswer(reply, success('Success', { records: rules.map((rule) => termsView(rule, names)) }));
      },
    );
    app.post(
      '/operator/settlement-terms',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        schema: {
          tags: TAGS,
          operationId: 'setSettlementTerms',
          summary: 'Say on which terms is settled, from now or from a later moment on',
          description: 'Adds a dated row; what was in force before stays on record. It counts at once.',
          body: SetTermsBody,
          response: answers(Success(TermsSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, enabled, minimum, windowSeconds, coolingOffSeconds, effectiveFrom, reason } =
          request.body;
        if (merchantId !== null) await requireMerchant(database, merchantId);
        const rule = await setRule(deps, {
          merchantId,
          mode,
          isEnabled: enabled,
          minimumMinor: minimum === undefined ? undefined : parseAmount(minimum, 'minimum'),
          windowSeconds,
          coolingOffSeconds,
          effectiveFrom: effectiveFrom === undefined ? undefined : new Date(effectiveFrom),
          source: `${reason}, ${request.operator.email}`,
        });
        const names = await readNamesOf(database, [{ merchantId }]);
        return sendAnswer(reply, success('The terms are set', termsView(rule, names)));
      },
    );
  };
}
