import { Type } from 'typebox';
import { Money, Nullable } from '../../platform/http/schemas.ts';

export const LimitSchema = Type.Object({
  currency: Type.Literal('NGN'),
  perPayout: Nullable(Money('The most that one payout may be, without charges; null is no limit.')),
  perDay: Nullable(Money('The most that all payouts of a day may be, without charges; null is no limit.')),
  day: Type.String({ description: 'Today in Lagos, where the day of a limit begins.', examples: ['2026-11-20'] }),
  usedToday: Money('Accepted today, without what failed.'),
  leftToday: Nullable(Money('What may still be paid out today; null is no limit.')),
  duplicateWindowSeconds: Type.Integer({
    description:
      'The same amount to the same account is refused for this long unless allowDuplicate is true; 0 is never.',
    examples: [120],
  }),
});
