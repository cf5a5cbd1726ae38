export {
  findOldestUnknown,
  findPayoutTenant,
  payoutDirectoryKeeper,
  readDirectoryLag,
  searchPayouts,
} from './payout-directory.ts';
export { type FoundPayoutRow, type PayoutSearch, RAIL_KEY, RAIL_TOTALS_READ } from './queries.ts';
export { type RailFigures, type RailSums, readRailFigures } from './rail-figures.ts';
export { correctRailTotals, rebuildDirectory } from './rebuild-directory.ts';
