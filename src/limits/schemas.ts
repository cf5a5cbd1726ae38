import { Type } from 'typebox';
import { Amount, type EventTypes, Money, MoneySum, Named, Nullable, Uuid } from '../platform/http/schemas.ts';
import { TIERS } from './tier-queries.ts';

const Part = (description: string) =>
  Type.Object(
    {
      perPayout: Nullable(Money('Of one payout, without charges; null is no limit.')),
      perDay: Nullable(Money('Of all payouts of a day, without charges; null is no limit.')),
    },
    { description },
  );

const tierAmount = (of: string) => Nullable(Money(`${of}; null is no limit.`));

/** What a tier allows; also for the operator's pages. */
export const tierAmounts = {
  tier: Type.String({ enum: [...TIERS], examples: ['TIER_2'], description: 'How far the merchant is verified.' }),
  singleIn: tierAmount('The most that one payment in may be; what is above is held'),
  dailyIn: tierAmount('The most that all payments in of a day may be; what is above is held'),
  balance: tierAmount(
    'The most that all wallets together may have, with what waits for its settlement or is kept in reserve; what would go beyond is held',
  ),
  singleOut: tierAmount('The most that one payout may be'),
  dailyOut: tierAmount('The most that all payouts of a day may be'),
};

const TierLimitSchema = Named(
  'TierLimit',
  Type.Object(tierAmounts, { description: 'What the merchant’s tier of verification allows. Null: it has none.' }),
);

export const LimitSchema = Named(
  'Limit',
  Type.Object({
    currency: Type.Literal('NGN'),
    perPayout: Nullable(Money('The most that one payout may be, without charges; null is no limit.')),
    perDay: Nullable(Money('The most that all payouts of a day may be, without charges; null is no limit.')),
    day: Type.String({ description: 'Today in Lagos, where the day of a limit begins.', examples: ['2026-11-20'] }),
    usedToday: MoneySum('Accepted today, without what failed.'),
    leftToday: Nullable(Money('What may still be paid out today; null is no limit.')),
    duplicateWindowSeconds: Type.Integer({
      description:
        'The same amount to the same account is refused for this long unless allowDuplicate is true; 0 is never.',
      examples: [120],
    }),
    own: Part('What you set yourself. Of this and the operator’s, the stricter counts.'),
    operator: Part('What the operator set.'),
    tier: Nullable(TierLimitSchema),
  }),
);

export const OwnLimitBody = Type.Object(
  { perPayout: Nullable(Amount()), perDay: Nullable(Amount()) },
  { additionalProperties: false },
);

export const OwnLimitSchema = Named(
  'OwnLimit',
  Type.Object({
    own: Part('Your own limits in force.'),
    approvalId: Nullable(Uuid('Of the change, where it waits for approval.')),
  }),
);

/** What the event says. */
const OwnLimitChangedSchema = Named(
  'OwnLimitChanged',
  Type.Object({ own: Part('The merchant’s own limits from now on.') }),
);

export const limitEvents: EventTypes = {
  'limit.changed': { summary: 'The merchant changed its own limits.', data: OwnLimitChangedSchema },
};
