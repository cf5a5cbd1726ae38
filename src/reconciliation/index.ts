export { importDigest, LINE_RESULTS, type LineResult, lineDigest } from './classify-line.ts';
export type { ReconciliationDeps } from './deps.ts';
export {
  alreadyImported,
  importNotFound,
  lineAlreadyResolved,
  lineNotFound,
  railUnknown,
  secondPersonForFile,
} from './errors.ts';
export { exportSandboxSettlement } from './export-sandbox-settlement.ts';
export { type FileMoment, readMoment } from './file-moment.ts';
export { importSettlement } from './import-settlement.ts';
export type { FloatCheckRow, LineRow } from './queries.ts';
export {
  countOpenLinesOf,
  countUndecidedLines,
  LINE_STATES,
  readFloatChecks,
  readFloatStatus,
  readLastFloatChecks,
  readLinePage,
  readLines,
  readSettlements,
  type SettlementSummary,
} from './read-desk.ts';
export { type FileFormat, hashFile, importHash, isOfFile, MAX_LINES, type OpenFile, readFile } from './read-file.ts';
export { cellOf, nairaInKobo, placesOf, plainText, wholeKobo } from './read-line.ts';
export { forgetFloatChecks, reconcileFloat } from './reconcile-float.ts';
export { type LineResolution, resolveLine, resolveLines } from './resolve-line.ts';
export { floatLines, lineRecord, reconciliationEvents } from './views.ts';
