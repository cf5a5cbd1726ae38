import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AVAILABILITIES, type AvailabilityRule, listAvailability, setAvailability } from '../availability/index.ts';
import { endOwnLimits, listLimits, setLimits } from '../limits/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import { parseAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Money, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { OperatorDeps } from './deps.ts';
import { readNamesOf } from './lookups.ts';
import { MaybeAmount, MaybeChannel, ModeName, OneOf, Reason } from './schemas.ts';
import { limitRowView } from './views.ts';

const ListLimitsQuery = Type.Object(
  { merchantId: Type.Optional(Uuid('Only what this merchant goes by: its own limits and those of all.')) },
  { additionalProperties: false },
);

const LimitRowSchema = Named(
  'LimitRow',
  Type.Object({
    limitId: Type.String(),
    merchantId: Nullable(Uuid('Null: all merchants.')),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    perPayout: Nullable(Money('The most that one payout may be; null is no limit.')),
    perDay: Nullable(Money('The most that all payouts of a day in Lagos may be; null is no limit.')),
    duplicateWindowSeconds: Type.Integer({ description: 'For so long the same payout counts as a slip; 0 is never.' }),
    effectiveFrom: DateTime(),
    effectiveTo: Nullable(DateTime()),
    source: Type.String({ description: 'Why, and who said so.' }),
    state: OneOf(
      ['AHEAD', 'IN_FORCE', 'ENDED'] as const,
      'IN_FORCE: its time is now; a merchant’s own goes before that of all.',
    ),
  }),
);

const LimitRowsSchema = Named('LimitRows', Type.Object({ records: Type.Array(LimitRowSchema) }));

const asBefore = 'Left out: as it would be at that moment.';

const SetLimitBody = Type.Object(
  {
    merchantId: Type.Union([Uuid(), Type.Null()], { description: 'Null: all merchants.' }),
    mode: ModeName(),
    perPayout: Type.Optional(MaybeAmount(`Naira that one payout may be at most; null is no limit. ${asBefore}`)),
    perDay: Type.Optional(MaybeAmount(`Naira that all payouts of a day may be at most; null is no limit. ${asBefore}`)),
    duplicateWindowSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_592_000, description: asBefore })),
    effectiveFrom: Type.Optional(DateTime('Left out: now.')),
    effectiveTo: Type.Optional(Nullable(DateTime('Left out or null: until further notice.'))),
    reason: Reason(),
  },
  { additionalProperties: false },
);

const EndLimitBody = Type.Object({ merchantId: Uuid(), mode: ModeName() }, { additionalProperties: false });

const Ended = Type.Object({ ended: Type.Boolean({ description: 'False where there was nothing to end.' }) });

const LIMIT_TAGS = ['Operator: limits'];

export function limitRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  const { database, clock } = deps;
  return async (app) => {
    app.get(
      '/operator/limit',
      {
        config: { access: { operator: true } },
        schema: {
          tags: LIMIT_TAGS,
          operationId: 'listLimits',
          summary: 'Limits of all merchants and of single ones, past and future ones among them',
          querystring: ListLimitsQuery,
          response: answers(Success(LimitRowsSchema)),
        },
      },
      async (request, reply) => {
        const wanted = await listLimits(deps, request.query.merchantId);
        const names = await readNamesOf(database, wanted);
        const now = clock.now();
        return sendAnswer(reply, success('Success', { records: wanted.map((row) => limitRowView(row, names, now)) }));
      },
    );
    app.post(
      '/operator/limit',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        schema: {
          tags: LIMIT_TAGS,
          operationId: 'setLimit',
          summary: 'Say how much may be paid out, from now or from a later moment on',
          description:
            'Adds a dated row; what was in force before stays on record. Every process knows it within a minute.',
          body: SetLimitBody,
          response: answers(Success(LimitRowSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, perPayout, perDay, effectiveFrom, effectiveTo, reason } = request.body;
        if (merchantId !== null) await requireMerchant(database, merchantId);
        const row = await setLimits(deps, {
          merchantId,
          mode,
          perPayoutMinor: minorOf(perPayout, 'perPayout'),
          perDayMinor: minorOf(perDay, 'perDay'),
          duplicateWindowSeconds: request.body.duplicateWindowSeconds,
          effectiveFrom: effectiveFrom === undefined ? undefined : new Date(effectiveFrom),
          effectiveTo: effectiveTo === undefined || effectiveTo === null ? null : new Date(effectiveTo),
          source: `${reason}, ${request.operator.email}`,
        });
        const names = await readNamesOf(database, [{ merchantId }]);
        return sendAnswer(reply, success('The limit is set', limitRowView(row, names, clock.now())));
      },
    );
    app.post(
      '/operator/limit/end',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        schema: {
          tags: LIMIT_TAGS,
          operationId: 'endLimit',
          summary: 'End a merchant’s own limits: those of all merchants apply again',
          body: EndLimitBody,
          response: answers(Success(Ended)),
        },
      },
      async (request, reply) => {
        await requireMerchant(database, request.body.merchantId);
        const ended = await endOwnLimits(deps, request.body);
        const message = ended ? 'The limits for all merchants apply again' : 'The merchant had no limits of its own';
        return sendAnswer(reply, success(message, { ended }));
      },
    );
  };
}

/** Kobo of an amount in a body. Null is no limit; undefined leaves the limit as it is. */
function minorOf(naira: number | null | undefined, field: string): bigint | null | undefined {
  return naira === null || naira === undefined ? naira : parseAmount(naira, field);
}

const AvailabilityName = () =>
  OneOf(
    AVAILABILITIES,
    'ON_CONFIRMATION: a payment in is available once it is confirmed. ON_SETTLEMENT: once the provider has settled it.',
  );

const ListAvailabilityQuery = Type.Object(
  { merchantId: Type.Optional(Uuid('Only what this merchant goes by: its own rules and those of all.')) },
  { additionalProperties: false },
);

const AvailabilityRuleSchema = Named(
  'AvailabilityRule',
  Type.Object({
    ruleId: Uuid(),
    merchantId: Nullable(Uuid('Null: all merchants.')),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    channel: MaybeChannel(),
    availability: AvailabilityName(),
    effectiveFrom: DateTime('Until the next one of the same merchant, or of all, and the same channel.'),
    source: Type.String({ description: 'Why, and who said so.' }),
  }),
);

const SetAvailabilityBody = Type.Object(
  {
    merchantId: Type.Union([Uuid(), Type.Null()], { description: 'Null: all merchants without rules of their own.' }),
    mode: ModeName(),
    channel: Type.Optional(MaybeChannel()),
    availability: AvailabilityName(),
    effectiveFrom: Type.Optional(DateTime('At least two minutes ahead. Left out: in two minutes.')),
    reason: Reason(),
  },
  { additionalProperties: false },
);

const AVAILABILITY_TAGS = ['Operator: availability'];

function ruleView(rule: AvailabilityRule, names: ReadonlyMap<string, string>) {
  const { id, merchantId, mode, channel, availability, effectiveFrom, source } = rule;
  const businessName = merchantId === null ? null : (names.get(merchantId) ?? null);
  return {
    ruleId: id,
    merchantId,
    businessName,
    mode,
    channel,
    availability,
    effectiveFrom: effectiveFrom.toISOString(),
    source,
  };
}

/** When payments in are available, by merchant. */
export function availabilityRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/operator/availability',
      {
        config: { access: { operator: true } },
        schema: {
          tags: AVAILABILITY_TAGS,
          operationId: 'listAvailabilityRules',
          summary:
            'When payments in are available: of all merchants and of single ones, past and future rules among them',
          querystring: ListAvailabilityQuery,
          response: answers(
            Success(Named('AvailabilityRules', Type.Object({ records: Type.Array(AvailabilityRuleSchema) }))),
          ),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.query;
        const rules = (await listAvailability(database)).filter(
          (rule) => merchantId === undefined || [null, merchantId].includes(rule.merchantId),
        );
        const names = await readNamesOf(database, rules);
        return sendAnswer(reply, success('Success', { records: rules.map((rule) => ruleView(rule, names)) }));
      },
    );
    app.post(
      '/operator/availability',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        schema: {
          tags: AVAILABILITY_TAGS,
          operationId: 'setAvailability',
          summary: 'Say when payments in are available, from a moment that is ahead on',
          description: 'Adds a dated rule; what was confirmed before stays as it is.',
          body: SetAvailabilityBody,
          response: answers(Success(AvailabilityRuleSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, channel = null, availability, effectiveFrom, reason } = request.body;
        if (merchantId !== null) await requireMerchant(database, merchantId);
        const rule = await setAvailability(deps, {
          merchantId,
          mode,
          channel,
          availability,
          effectiveFrom: effectiveFrom === undefined ? undefined : new Date(effectiveFrom),
          source: `${reason}, ${request.operator.email}`,
        });
        const names = await readNamesOf(database, [{ merchantId }]);
        return sendAnswer(reply, success('The rule is set', ruleView(rule, names)));
      },
    );
  };
}
