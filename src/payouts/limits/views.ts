import { DEFAULT_CURRENCY, toNumber } from '../../money/index.ts';
import type { PayoutLimit } from './payout-limit.ts';

export function limitView(limit: PayoutLimit, day: string, usedMinor: bigint) {
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
  };
}
