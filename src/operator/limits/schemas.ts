import { Type } from 'typebox';
import { DateTime, Money, Named, Nullable, Uuid } from '../../platform/http/schemas.ts';
import { MaybeAmount, ModeWord, Reason, Word } from '../schemas.ts';

export const ListLimitsQuery = Type.Object(
  { merchantId: Type.Optional(Uuid('Only what this merchant goes by: its own limits and those of all.')) },
  { additionalProperties: false },
);

export const LimitRowSchema = Named(
  'LimitRow',
  Type.Object({
    limitId: Type.String(),
    merchantId: Nullable(Uuid('Null: all merchants.')),
    businessName: Nullable(Type.String()),
    mode: ModeWord(),
    perPayout: Nullable(Money('The most that one payout may be; null is no limit.')),
    perDay: Nullable(Money('The most that all payouts of a day in Lagos may be; null is no limit.')),
    duplicateWindowSeconds: Type.Integer({ description: 'For so long the same payout counts as a slip; 0 is never.' }),
    effectiveFrom: DateTime(),
    effectiveTo: Nullable(DateTime()),
    source: Type.String({ description: 'Why, and who said so.' }),
    state: Word(
      ['AHEAD', 'IN_FORCE', 'ENDED'] as const,
      'IN_FORCE: its time is now; a merchant’s own goes before that of all.',
    ),
  }),
);

export const LimitRowsSchema = Named('LimitRows', Type.Object({ records: Type.Array(LimitRowSchema) }));

const asBefore = 'Left out: as it would be at that moment.';

export const SetLimitBody = Type.Object(
  {
    merchantId: Type.Union([Uuid(), Type.Null()], { description: 'Null: all merchants.' }),
    mode: ModeWord(),
    perPayout: Type.Optional(MaybeAmount(`Naira that one payout may be at most; null is no limit. ${asBefore}`)),
    perDay: Type.Optional(MaybeAmount(`Naira that all payouts of a day may be at most; null is no limit. ${asBefore}`)),
    duplicateWindowSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_592_000, description: asBefore })),
    effectiveFrom: Type.Optional(DateTime('Left out: now.')),
    effectiveTo: Type.Optional(Nullable(DateTime('Left out or null: until further notice.'))),
    reason: Reason(),
  },
  { additionalProperties: false },
);

export const EndLimitBody = Type.Object({ merchantId: Uuid(), mode: ModeWord() }, { additionalProperties: false });

export const Ended = Type.Object({ ended: Type.Boolean({ description: 'False where there was nothing to end.' }) });
