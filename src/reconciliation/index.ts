export type { ReconciliationDeps } from './deps.ts';
export {
  countOpenLinesOf,
  countUndecidedLines,
  LINE_STATES,
  readFloatChecks,
  readFloatStanding,
} from './desk/read-desk.ts';
export { importDigest, lineDigest } from './digests.ts';
export { reconciliationEvents } from './events.ts';
export { exportSandboxSettlement } from './export-sandbox-settlement.ts';
export { importSettlement, type SettlementFile } from './import-settlement.ts';
export type { FloatCheckRow, LineRow } from './queries.ts';
export { readLinePage, readLines, readSettlements, type SettlementSummary } from './read-settlements.ts';
export { reconcileFloat } from './reconcile-float.ts';
export { type LineResolution, resolveLine } from './resolve-line.ts';
export { type ResolvedLine, resolveLines } from './resolve-lines.ts';
export { LINE_RESULTS, type LineResult } from './settlement-kinds.ts';
export { floatLines, lineRecord } from './views.ts';
