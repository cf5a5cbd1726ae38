export { limitSubject } from './change-own-limit.ts';
export {
  checkPayoutLimit,
  createKnownLimits,
  DAY_SCOPE,
  dayLimitUsage,
  type KnownLimits,
  type LimitDeps,
  listLimits,
  readLimit,
  readPayoutLimit,
} from './check-limits.ts';
export { type PayoutLimitRow, rowAt as limitRowAt } from './payout-limit.ts';
export { limitRoutes } from './routes.ts';
export { limitEvents } from './schemas.ts';
export { endOwnLimits, setLimits } from './set-limits.ts';
