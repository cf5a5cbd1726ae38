export { limitSubject } from './change-own-limit.ts';
export { checkPayoutLimit, DAY_SCOPE, dayLimitUsage, readPayoutLimit } from './check-limits.ts';
export { limitEvents } from './events.ts';
export { type PayoutLimitRow, rowAt as limitRowAt } from './payout-limit.ts';
export { createKnownLimits, type KnownLimits, type LimitDeps, listLimits, readLimit } from './read-limits.ts';
export { limitRoutes } from './routes.ts';
export { endOwnLimits, setLimits } from './set-limits.ts';
