export { keeping } from './keep.ts';
export { DUE_RESERVES, type MerchantReserveRow, type ReserveRule, reserveRuleDigest } from './queries.ts';
export { listKept, readKept } from './read-reserves.ts';
export { RESERVE_NAME, releaseDueReserves, reserveAdvanceWrites } from './release-due.ts';
export { reserveRoutes } from './routes.ts';
export {
  createFindReserve,
  type FindReserve,
  type NewReserveRule,
  type ReserveToKeep,
  readReserveRules,
  setReserveRule,
} from './rules.ts';
export { PaymentReserveSchema, reserveEvents } from './schemas.ts';
export { readReserveOf } from './views.ts';
