export { batchStates } from './bulk/batch-state.ts';
export { ITEM_FINGERPRINT, ITEM_HASH, ITEMS_DIGEST } from './bulk/dispatch/queries.ts';
export { sweepUploads } from './bulk/intake/give-up-uploads.ts';
export { LOW_MATCH_BELOW } from './bulk/validation/match-name.ts';
export type { PayoutDeps } from './deps.ts';
export { differingFacts } from './differing-facts.ts';
export { sweepDedupeKeys } from './duplicates/dedupe-keys.ts';
export { payoutEvents } from './events.ts';
export { type PayoutLimitRow, rowAt as limitRowAt } from './limits/payout-limit.ts';
export { listLimits } from './limits/read-limits.ts';
export { endOwnLimits, setLimits } from './limits/set-limits.ts';
export { confirmOutcome } from './operator/confirm-outcome.ts';
export { countOutcomesToDecide } from './operator/counts/count-outcomes.ts';
export { findRailPayouts, listPaidByRail } from './operator/find-rail-payouts.ts';
export { noteContradiction } from './operator/note-contradiction.ts';
export { proposalStates } from './operator/proposal-state.ts';
export { OUTCOME_SOURCES, PROPOSED_OUTCOMES, proposeOutcome } from './operator/propose-outcome.ts';
export type {
  OpenPayoutRow,
  OutcomeEvidence,
  ProposalRead,
  ProposalRow,
  ProposedOutcome,
  RailPayoutRow,
  SaidRow,
} from './operator/queries.ts';
export { PROPOSAL_FINGERPRINT } from './operator/queries.ts';
export { type OutcomeEvidenceRead, readOutcomeEvidence } from './operator/read-outcome-evidence.ts';
export { type OutcomeQueueEntry, readOutcomeQueue } from './operator/read-queue.ts';
export { rejectProposal } from './operator/reject-proposal.ts';
export { payoutAdvanceWrites } from './pipeline/advance-writes.ts';
export { type Applied, applyOutcome } from './pipeline/apply-outcome.ts';
export type { OutcomeSource, ToldSource } from './pipeline/outcome-source.ts';
export { payoutEvidence } from './pipeline/read-attempts.ts';
export type { ScheduledJob } from './pipeline/scheduled-jobs.ts';
export {
  type ProviderWebhookResult,
  takeProviderWebhook,
  takeProviderWebhooks,
} from './pipeline/take-provider-webhook.ts';
export { createPayoutWorker, type PayoutWorker, type PayoutWorkerOptions } from './pipeline/worker.ts';
export { providerWebhookRoutes } from './provider-webhook-routes.ts';
export { attemptDigest, findPayout, type OperatorReason, type PayoutRecord } from './queries.ts';
export { isOurReference, type PayoutRails, sentTransferOf } from './rails.ts';
export { payoutRoutes } from './routes.ts';
export { payoutSubjects } from './subjects.ts';
export { payoutDetails, reportedView } from './views.ts';
