import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { changeFeeRules, type FeeChange, listFeeRules, type NewFeeRule, PAYOUT_PURPOSES } from '../fees/index.ts';
import { parseAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import {
  Amount,
  AmountFromZero,
  answers,
  DateTime,
  Money,
  Named,
  Nullable,
  Success,
} from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { OperatorDeps } from './deps.ts';
import { ChannelName, MaybeAmount, MaybeChannel, OneOf, Reason } from './schemas.ts';
import { feePreviewView, feeRuleView, previewFees } from './views.ts';

const Kind = () =>
  OneOf(
    ['TRANSFER_FEE', 'VAT', 'STAMP_DUTY', 'COLLECTION_FEE'] as const,
    'VAT is charged on the transfer fee and on the collection fee, the others on the amount.',
  );

const Payer = () =>
  OneOf(['SENDER', 'RECEIVER'] as const, 'RECEIVER for COLLECTION_FEE: the wallet that receives the payment.');

const Rounding = () => OneOf(['HALF_UP', 'HALF_EVEN', 'DOWN', 'UP'] as const, 'What becomes of a fraction of a kobo.');

const Purposes = () => Type.Array(OneOf(PAYOUT_PURPOSES), { maxItems: PAYOUT_PURPOSES.length, uniqueItems: true });

const Rate = () =>
  Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'In hundredths of a percent: 750 is 7.5 %.',
    examples: [750],
  });

const FeeRuleSchema = Named(
  'FeeRule',
  Type.Object({
    ruleId: Type.String({ examples: ['ngn-vat-2020'] }),
    kind: Kind(),
    currency: Type.Literal('NGN'),
    minAmount: Money('The smallest amount that it applies to.'),
    maxAmount: Nullable(Money('The largest; null is any.')),
    flat: Money('Charged as it is.'),
    rateBasisPoints: Rate(),
    cap: Nullable(Money('The most that it charges; null is no cap.')),
    channel: MaybeChannel(),
    payer: Payer(),
    exemptPurposes: Purposes(),
    rounding: Rounding(),
    effectiveFrom: DateTime(),
    effectiveTo: Nullable(DateTime('Not in force at this moment any more.')),
    source: Type.String({ description: 'The law, circular or decision behind it.' }),
    state: OneOf(['AHEAD', 'IN_FORCE', 'ENDED'] as const),
  }),
);

const FeeRulesSchema = Named('FeeRules', Type.Object({ records: Type.Array(FeeRuleSchema) }));

const NewRule = Type.Object(
  {
    kind: Kind(),
    minAmount: AmountFromZero('Naira; the smallest amount that it applies to, included.'),
    maxAmount: MaybeAmount('Naira; the largest amount that it applies to, included; null is any.'),
    flat: AmountFromZero('Naira; zero is free.'),
    rateBasisPoints: Rate(),
    cap: Type.Optional(MaybeAmount('Naira; the most that it charges; null is no cap.')),
    channel: Type.Optional(MaybeChannel()),
    payer: Payer(),
    exemptPurposes: Purposes(),
    rounding: Rounding(),
    effectiveFrom: DateTime('At least two minutes from now.'),
    effectiveTo: Nullable(DateTime('Null: until further notice.')),
    source: Reason(),
  },
  { additionalProperties: false },
);

const change = {
  rules: Type.Array(NewRule, { maxItems: 20, description: 'Added together; all begin at the same moment.' }),
  endsRuleIds: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 20,
      description: 'End when the new ones begin. One that has not begun by then never does.',
    }),
  ),
  endsAt: Type.Optional(DateTime('When they end, where no rule is added.')),
};

const ChangeFeesBody = Type.Object(change, { additionalProperties: false });

const PreviewFeesBody = Type.Object(
  {
    ...change,
    amounts: Type.Array(Amount(), { minItems: 1, maxItems: 20 }),
    at: Type.Optional(DateTime('The moment to price at; when the change begins unless given.')),
    purpose: Type.Optional(OneOf(PAYOUT_PURPOSES)),
    channel: Type.Optional(ChannelName()),
  },
  { additionalProperties: false },
);

const Charges = Type.Object({
  fee: Money('Transfer fee.'),
  vat: Money('VAT on the fee.'),
  stampDuty: Money('Stamp duty that the sender bears.'),
  charges: Money('All three.'),
  total: Money('Amount and charges.'),
});

const CollectionCharges = Type.Object({
  fee: Money('Collection fee.'),
  vat: Money('VAT on the fee.'),
  net: Money('What the wallet has of the payment.'),
});

const FeePreviewSchema = Named(
  'FeePreview',
  Type.Object({
    at: DateTime('The moment that is priced.'),
    begins: DateTime('When the change begins.'),
    lines: Type.Array(
      Type.Object({
        amount: Money('The payout, or the payment in.'),
        before: Nullable(Charges),
        after: Nullable(Charges),
        difference: Nullable(Money('What the charges grow by; below zero, they shrink.')),
        collectionBefore: Nullable(CollectionCharges),
        collectionAfter: Nullable(CollectionCharges),
      }),
      {
        description:
          'By the present rules and by the changed ones, both at that moment; null where it cannot be priced.',
      },
    ),
  }),
);

const TAGS = ['Operator: fees'];
/** Twenty rules, each with its source in words. */
const MAX_CHANGE_BYTES = 128 * 1024;

export function feeRoutes({ database, clock }: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/fee',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: TAGS,
          operationId: 'listFeeRules',
          summary: 'Fees, VAT and stamp duty as dated rules, past and future ones among them',
          response: answers(Success(FeeRulesSchema)),
        },
      },
      async (_request, reply) => {
        const rules = await database.query(listFeeRules);
        const now = clock.now();
        return sendAnswer(reply, success('Success', { records: rules.map((rule) => feeRuleView(rule, now)) }));
      },
    );
    app.post(
      '/operator/fee/preview',
      {
        config: { access: { operator: true } },
        bodyLimit: MAX_CHANGE_BYTES,
        schema: {
          tags: TAGS,
          operationId: 'previewFeeRule',
          summary: 'What a change of fees would make of some amounts, paid out or received; changes nothing',
          description: 'Refuses what the change itself would be refused for.',
          body: PreviewFeesBody,
          response: answers(Success(FeePreviewSchema)),
        },
      },
      async (request, reply) => {
        const { amounts, at, purpose, channel = null } = request.body;
        const preview = previewFees(await database.query(listFeeRules), changeOf(request.body), {
          amountsMinor: amounts.map((amount, index) => parseAmount(amount, `amounts.${index}`)),
          at: at === undefined ? undefined : new Date(at),
          purpose,
          channel,
          now: clock.now(),
        });
        return sendAnswer(reply, success('Success', feePreviewView(preview)));
      },
    );
    app.post(
      '/operator/fee',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        bodyLimit: MAX_CHANGE_BYTES,
        schema: {
          tags: TAGS,
          operationId: 'setFeeRule',
          summary: 'Change fees from a moment ahead on: add rules and end others, together',
          description:
            'The past stays as it was. Nothing may be priced twice, and no payout may be left without a fee.',
          body: ChangeFeesBody,
          response: answers(Success(FeeRulesSchema)),
        },
      },
      async (request, reply) => {
        const added = await changeFeeRules({ database, clock }, changeOf(request.body));
        const now = clock.now();
        const records = added.map((rule) => feeRuleView(rule, now));
        return sendAnswer(reply, success('The fees are changed', { records }));
      },
    );
  };
}

type ChangeBody = Static<typeof ChangeFeesBody>;

function changeOf({ rules, endsRuleIds = [], endsAt }: ChangeBody): FeeChange {
  return {
    rules: rules.map(ruleOf),
    endsRuleIds,
    endsAt: endsAt === undefined ? undefined : new Date(endsAt),
  };
}

function ruleOf(rule: ChangeBody['rules'][number], index: number): NewFeeRule {
  const minor = (naira: number, field: string) => parseAmount(naira, `rules.${index}.${field}`, { allowZero: true });
  return {
    currency: 'NGN',
    kind: rule.kind,
    minAmountMinor: minor(rule.minAmount, 'minAmount'),
    maxAmountMinor: rule.maxAmount === null ? null : minor(rule.maxAmount, 'maxAmount'),
    flatMinor: minor(rule.flat, 'flat'),
    rateBasisPoints: rule.rateBasisPoints,
    channel: rule.channel ?? null,
    capMinor: rule.cap === undefined || rule.cap === null ? null : minor(rule.cap, 'cap'),
    payer: rule.payer,
    exemptPurposes: rule.exemptPurposes,
    rounding: rule.rounding,
    effectiveFrom: new Date(rule.effectiveFrom),
    effectiveTo: rule.effectiveTo === null ? null : new Date(rule.effectiveTo),
    source: rule.source,
  };
}
