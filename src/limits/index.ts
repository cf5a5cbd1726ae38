export { limitSubject } from './change-own-limit.ts';
export {
  CREDIT_ABOVE_TIER,
  checkPayoutLimit,
  createKnownLimits,
  DAY_SCOPE,
  dayLimitUsage,
  type KnownLimits,
  type LimitDeps,
  listLimits,
  readLeftOfDay,
  readLimit,
  readPayoutLimit,
  type TierInflow,
  tierInflow,
} from './check-limits.ts';
export { type PayoutLimitRow, rowAt as limitRowAt } from './payout-limit.ts';
export { limitRoutes } from './routes.ts';
export { limitEvents, tierAmounts } from './schemas.ts';
export { endOwnLimits, setLimits } from './set-limits.ts';
export { TIERS, type TierLimitRow } from './tier-queries.ts';
export { listTierRows, readTierChanges, setMerchantTier, setTierLimit, tierRowAt } from './tiers.ts';
export { tierView } from './views.ts';
