import { readLimitUsage } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, toNumberIfExact, toNumberOrNull } from '../money/index.ts';
import { type Answer, success } from '../platform/answer.ts';
import { lagosDay } from '../platform/clock.ts';
import type { Tenant } from '../platform/tenant.ts';
import { DAY_SCOPE, type LimitDeps, leftOf, readBothLimits } from './check-limits.ts';
import type { PayoutLimit } from './payout-limit.ts';
import type { TierLimitRow } from './tier-queries.ts';

/** The limits that count, who set them, and what is used of them. */
export interface ShownLimits {
  limit: PayoutLimit;
  own: PayoutLimit;
  operator: PayoutLimit;
  /** Undefined: no tier limits the merchant. */
  tier: TierLimitRow | undefined;
  day: string;
  usedMinor: bigint;
}

function limitView({ limit, own, operator, tier, day, usedMinor }: ShownLimits) {
  const { perPayoutMinor, perDayMinor } = limit;
  const leftMinor = perDayMinor === null ? null : leftOf(perDayMinor, usedMinor);
  return {
    currency: DEFAULT_CURRENCY,
    perPayout: toNumberOrNull(perPayoutMinor),
    perDay: toNumberOrNull(perDayMinor),
    day,
    usedToday: toNumberIfExact(usedMinor),
    leftToday: toNumberOrNull(leftMinor),
    duplicateWindowSeconds: limit.duplicateWindowMs / 1000,
    own: partView(own),
    operator: partView(operator),
    tier: tier === undefined ? null : tierView(tier),
  };
}

/** What a tier allows, in naira; null is no limit. */
export function tierView(row: TierLimitRow) {
  return {
    tier: row.tier,
    singleIn: toNumberOrNull(row.singleInMinor),
    dailyIn: toNumberOrNull(row.dailyInMinor),
    balance: toNumberOrNull(row.balanceMinor),
    singleOut: toNumberOrNull(row.singleOutMinor),
    dailyOut: toNumberOrNull(row.dailyOutMinor),
  };
}

/** One side's limits. */
export function partView({ perPayoutMinor, perDayMinor }: Pick<PayoutLimit, 'perPayoutMinor' | 'perDayMinor'>) {
  return {
    perPayout: toNumberOrNull(perPayoutMinor),
    perDay: toNumberOrNull(perDayMinor),
  };
}

/** The limits in force now, who set them, and what is used and left of today's, read at one moment. */
export async function showLimit(deps: LimitDeps, tenant: Tenant): Promise<Answer> {
  const { clock } = deps;
  const day = lagosDay(clock.now());
  const [limits, usedMinor] = await deps.database.snapshot((queries) =>
    Promise.all([readBothLimits({ queries, clock }, tenant), readLimitUsage(queries, tenant, DAY_SCOPE, day)]),
  );
  return success('Success', limitView({ ...limits, day, usedMinor }));
}
