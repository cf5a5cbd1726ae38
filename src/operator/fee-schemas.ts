import { Type } from 'typebox';
import { PAYOUT_PURPOSES } from '../fees/index.ts';
import { Amount, DateTime, Money, Named, Nullable } from '../platform/http/schemas.ts';
import { AmountFromZero, MaybeAmount, OneOf, Reason } from './schemas.ts';

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
    payer: Payer(),
    exemptPurposes: Purposes(),
    rounding: Rounding(),
    effectiveFrom: DateTime(),
    effectiveTo: Nullable(DateTime('Not in force at this moment any more.')),
    source: Type.String({ description: 'The law, circular or decision behind it.' }),
    state: OneOf(['AHEAD', 'IN_FORCE', 'ENDED'] as const),
  }),
);

export const FeeRulesSchema = Named('FeeRules', Type.Object({ records: Type.Array(FeeRuleSchema) }));

const NewRule = Type.Object(
  {
    kind: Kind(),
    minAmount: AmountFromZero('Naira; the smallest amount that it applies to, included.'),
    maxAmount: MaybeAmount('Naira; the largest amount that it applies to, included; null is any.'),
    flat: AmountFromZero('Naira; zero is free.'),
    rateBasisPoints: Rate(),
    cap: Type.Optional(MaybeAmount('Naira; the most that it charges; null is no cap.')),
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

export const ChangeFeesBody = Type.Object(change, { additionalProperties: false });

export const PreviewFeesBody = Type.Object(
  {
    ...change,
    amounts: Type.Array(Amount(), { minItems: 1, maxItems: 20 }),
    at: Type.Optional(DateTime('The moment to price at; when the change begins unless given.')),
    purpose: Type.Optional(OneOf(PAYOUT_PURPOSES)),
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

export const FeePreviewSchema = Named(
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
