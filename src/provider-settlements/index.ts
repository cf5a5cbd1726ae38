export {
  acceptProviderLine,
  applyProviderSettlement,
  discardProviderSettlement,
} from './apply-settlement.ts';
export {
  PROVIDER_LINE_RESULTS,
  providerLineDigest,
  settlementDigest,
} from './classify-line.ts';
export type { ProviderSettlementDeps } from './deps.ts';
export { readOpenDifferences } from './difference-queries.ts';
export type { SettlementFetchRow } from './fetch-queries.ts';
export { pollSettlements, requestSettlementFetch, SYSTEM, takeSettlementNotice } from './fetch-settlements.ts';
export { importProviderSettlement, type ProviderSettlementFile } from './import-settlement.ts';
export { type ListedProviderLine, PROVIDER_LINE_STATES } from './list-queries.ts';
export type { MarginRow } from './margin-queries.ts';
export { marginsCsv, readMargins } from './margins.ts';
export { readCutOff } from './read-line.ts';
export {
  countProviderSettlementsToDecide,
  everyProviderLine,
  type ProviderSettlementSummary,
  readProviderLines,
  readProviderSettlement,
  readProviderSettlements,
  readSettlementFetches,
} from './read-settlements.ts';
export { recordFetchedSettlements } from './record-fetched.ts';
export { resumeSettlements } from './resume-settlements.ts';
export { providerLineRecord, providerSettlementEvents } from './views.ts';
