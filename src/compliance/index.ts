export {
  CASE_REASONS,
  CASE_STATUSES,
  caseDigest,
  OPEN_CASES,
  type ShownCaseRow,
} from './case-queries.ts';
export { endCasesOver, exportCases, readCases } from './cases.ts';
export { FREEZE_SUBJECTS, freezeDigest, type TrailRow } from './freeze-queries.ts';
export { type FreezeDeps, type FreezeEntry, makeFreeze, type NewFreeze, readFreeze, readFreezes } from './freezes.ts';
export { createCreditGuard, createFreezeStop, createPaymentReview, createPayoutGuard } from './guards.ts';
export { createKnownFreezes, isInForce, type KnownFreezes } from './known-freezes.ts';
export type { ThresholdRow } from './large-queries.ts';
export { exportLargeTransactions, readThresholds, setThreshold } from './large-transactions.ts';
export { complianceProposalDigest } from './proposal-queries.ts';
export { closeCompliance, confirmCompliance, proposeLift, proposeRelease } from './proposals.ts';
