import { Type } from 'typebox';
import { TIERS, tierAmounts } from '../limits/index.ts';
import { AmountFromZero, DateTime, Money, Named, Nullable, Uuid } from '../platform/http/schemas.ts';
import { MaybeAmount, ModeName, OneOf, Reason } from './schemas.ts';

const TierName = (description?: string) => OneOf(TIERS, description);

export const TierRowSchema = Named(
  'TierRow',
  Type.Object({
    limitId: Uuid(),
    mode: ModeName(),
    ...tierAmounts,
    effectiveFrom: DateTime(),
    source: Type.String({ description: 'Which rule or circular says so, and who set it.' }),
    state: OneOf(['AHEAD', 'IN_FORCE', 'REPLACED'] as const),
  }),
);
export const TierRowsSchema = Named('TierRows', Type.Object({ records: Type.Array(TierRowSchema) }));

export const SetTierLimitBody = Type.Object(
  {
    tier: TierName(),
    mode: ModeName(),
    singleIn: MaybeAmount('Naira that one payment in may be at most; null is no limit.'),
    dailyIn: MaybeAmount('Naira of all payments in of a day.'),
    balance: MaybeAmount('Naira in all wallets together.'),
    singleOut: MaybeAmount('Naira that one payout may be at most.'),
    dailyOut: MaybeAmount('Naira of all payouts of a day.'),
    effectiveFrom: Type.Optional(DateTime('Left out: now.')),
    reason: Reason(),
  },
  { additionalProperties: false },
);

export const MerchantTierParams = Type.Object({ merchantId: Uuid() });

const TierChangeSchema = Named(
  'TierChange',
  Type.Object({
    mode: ModeName(),
    tier: Nullable(TierName('Null: the limits of no tier.')),
    reason: Type.String(),
    setBy: Type.String(),
    setAt: DateTime(),
  }),
);
export const MerchantTierSchema = Named(
  'MerchantTier',
  Type.Object({
    merchantId: Uuid(),
    live: Nullable(TierName()),
    sandbox: Nullable(TierName()),
    history: Type.Array(TierChangeSchema),
  }),
);

export const SetMerchantTierBody = Type.Object(
  { mode: ModeName(), tier: Nullable(TierName('Null: the limits of no tier.')), reason: Reason() },
  { additionalProperties: false },
);

const ThresholdSchema = Named(
  'ReportThreshold',
  Type.Object({
    individual: Money('Of merchants that are no registered business.'),
    corporate: Money('Of all others.'),
    effectiveFrom: DateTime('Until the next one.'),
    source: Type.String(),
  }),
);
export const ThresholdsSchema = Named('ReportThresholds', Type.Object({ records: Type.Array(ThresholdSchema) }));

export const SetThresholdBody = Type.Object(
  {
    individual: AmountFromZero('Naira, of merchants that are no registered business.'),
    corporate: AmountFromZero('Naira, of all others.'),
    effectiveFrom: Type.Optional(DateTime('Left out: now.')),
    reason: Reason(),
  },
  { additionalProperties: false },
);

const Day = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    'x-hint': 'must be a day such as 2026-11-20',
    examples: ['2026-11-20'],
    description,
  });

export const LargeTransactionsQuery = Type.Object(
  { mode: ModeName(), firstDay: Day('First day in Lagos.'), lastDay: Day('Last day in Lagos, included.') },
  { additionalProperties: false },
);
