import { DEFAULT_CURRENCY, toNumber } from '../../money/index.ts';
import type { PayoutLimit } from './payout-limit.ts';

/** What counts, whose it is, and what is used of it. */
export interface ShownLimits {
  limit: PayoutLimit;
  own: PayoutLimit;
  operator: PayoutLimit;
  day: string;
  usedMinor: bigint;
}

export function limitView({ limit, own, operator, day, usedMinor }: ShownLimits) {
  const { perPayoutMinor, perDayMinor } = limit;
  const leftMinor = perDayMinor === null ? null : perDayMinor > usedMinor ? perDayMinor - usedMinor : 0n;
  return {
    currency: DEFAULT_CURRENCY,
    perPayout: perPayoutMinor === null ? null : toNumber(perPayoutMinor),
    perDay: perDayMinor === null ? null : toNumber(perDayMinor),
    day,
    usedToday: toNumber(usedMinor),
    leftToday: leftMinor === null ? null : toNumber(leftMinor),
    duplicateWindowSeconds: limit.duplicateWindowMs / 1000,
    own: partView(own),
    operator: partView(operator),
  };
}

/** One side's limits. */
export function partView({ perPayoutMinor, perDayMinor }: Pick<PayoutLimit, 'perPayoutMinor' | 'perDayMinor'>) {
  return {
    perPayout: perPayoutMinor === null ? null : toNumber(perPayoutMinor),
    perDay: perDayMinor === null ? null : toNumber(perDayMinor),
  };
}
