export { keepPayoutDirectory, readDirectoryLag } from './keep-directory.ts';
export { RAIL_TOTAL } from './queries.ts';
export { type RailFigures, type RailSums, readRailFigures } from './rail-figures.ts';
export { type FoundPayouts, findOldestUnknown, findPayoutTenant, searchPayouts } from './search-payouts.ts';
export type { FoundPayoutRow, PayoutSearch } from './search-queries.ts';
