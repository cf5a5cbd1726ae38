export type { PayoutDeps } from './deps.ts';
export { payoutAdvanceWrites } from './pipeline/advance-writes.ts';
export { type Applied, applyOutcome } from './pipeline/apply-outcome.ts';
export { payoutEvidence } from './pipeline/read-attempts.ts';
export { createPayoutWorker, type PayoutWorker, type PayoutWorkerOptions } from './pipeline/worker.ts';
export { findPayout, type PayoutRecord } from './queries.ts';
export type { PayoutRails } from './rails.ts';
export { payoutRoutes } from './routes.ts';
