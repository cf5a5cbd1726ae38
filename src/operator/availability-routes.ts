import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AVAILABILITIES, type AvailabilityRule, listAvailability, setAvailability } from '../availability/index.ts';
import { readMerchantNames, requireMerchant } from '../merchants/index.ts';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { OperatorDeps } from './deps.ts';
import { ModeName, OneOf, Reason } from './schemas.ts';

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
    availability: AvailabilityName(),
    effectiveFrom: DateTime('Until the next one of the same merchant, or of all.'),
    source: Type.String({ description: 'Why, and who said so.' }),
  }),
);

const SetAvailabilityBody = Type.Object(
  {
    merchantId: Type.Union([Uuid(), Type.Null()], { description: 'Null: all merchants without rules of their own.' }),
    mode: ModeName(),
    availability: AvailabilityName(),
    effectiveFrom: Type.Optional(DateTime('At least two minutes ahead. Left out: in two minutes.')),
    reason: Reason(),
  },
  { additionalProperties: false },
);

const TAGS = ['Operator: availability'];

function ruleView(rule: AvailabilityRule, names: ReadonlyMap<string, string>) {
  const { id, merchantId, mode, availability, effectiveFrom, source } = rule;
  const businessName = merchantId === null ? null : (names.get(merchantId) ?? null);
  return {
    ruleId: id,
    merchantId,
    businessName,
    mode,
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
          tags: TAGS,
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
        const names = await readMerchantNames(
          database,
          rules.flatMap((rule) => rule.merchantId ?? []),
        );
        return sendAnswer(reply, success('Success', { records: rules.map((rule) => ruleView(rule, names)) }));
      },
    );
    app.post(
      '/operator/availability',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        schema: {
          tags: TAGS,
          operationId: 'setAvailability',
          summary: 'Say when payments in are available, from a moment that is ahead on',
          description: 'Adds a dated rule; what was confirmed before stays as it is.',
          body: SetAvailabilityBody,
          response: answers(Success(AvailabilityRuleSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, availability, effectiveFrom, reason } = request.body;
        if (merchantId !== null) await requireMerchant(database, merchantId);
        const rule = await setAvailability(deps, {
          merchantId,
          mode,
          availability,
          effectiveFrom: effectiveFrom === undefined ? undefined : new Date(effectiveFrom),
          source: `${reason}, ${request.operator.email}`,
        });
        const names = await readMerchantNames(database, merchantId === null ? [] : [merchantId]);
        return sendAnswer(reply, success('The rule is set', ruleView(rule, names)));
      },
    );
  };
}
