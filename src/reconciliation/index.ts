export type { ReconciliationDeps } from './deps.ts';
export { reconciliationEvents } from './events.ts';
export { exportSandboxSettlement } from './export-sandbox-settlement.ts';
export { importSettlement, type SettlementFile } from './import-settlement.ts';
export { readLines, readSettlements, type SettlementSummary } from './read-settlements.ts';
export { reconcileFloat } from './reconcile-float.ts';
export { type LineResolution, resolveLine } from './resolve-line.ts';
export { LINE_RESULTS, type LineResult } from './settlement-kinds.ts';
export { floatLines, lineRecord } from './views.ts';
