export { batchAdvanceWrites } from './bulk/advance-batches.ts';
export { batchSubject } from './bulk/batch-approval.ts';
export { batchStates } from './bulk/batch-state.ts';
export { createBulkDeps } from './bulk/bulk-deps.ts';
export { createBatchEndHook } from './bulk/conclude-batch.ts';
export { dueChunks } from './bulk/dispatch/open-chunks.ts';
export { ITEM_FINGERPRINT, ITEM_HASH, ITEMS_DIGEST } from './bulk/dispatch/queries.ts';
export { downloadRoutes } from './bulk/downloads/routes.ts';
export { batchEvents } from './bulk/events.ts';
export { dueBatches } from './bulk/handle-due-batches.ts';
export { sweepUploads } from './bulk/intake/give-up-uploads.ts';
export { intakeRoutes } from './bulk/intake/routes.ts';
export { itemRoutes } from './bulk/items/routes.ts';
export { batchReadRoutes, batchRoutes } from './bulk/routes.ts';
export { LOW_MATCH_BELOW } from './bulk/validation/match-name.ts';
export type { PayoutDeps } from './deps.ts';
export { differingFacts } from './differing-facts.ts';
export { sweepDedupeKeys } from './duplicates/dedupe-keys.ts';
export { payoutEvents } from './events.ts';
export { limitEvents } from './limits/events.ts';
export { limitSubject } from './limits/limit-subject.ts';
export { type PayoutLimitRow, rowAt as limitRowAt } from './limits/payout-limit.ts';
export { listLimits } from './limits/read-limits.ts';
export { limitRoutes } from './limits/routes.ts';
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
export { requeryRoutes } from './pipeline/requery-routes.ts';
export { sendDuePayouts } from './pipeline/send-due-payouts.ts';
export {
  type ProviderWebhookResult,
  takeProviderWebhook,
  takeProviderWebhooks,
} from './pipeline/take-provider-webhook.ts';
export { providerWebhookRoutes } from './provider-webhook-routes.ts';
export { attemptDigest, findPayout, type OperatorReason, type PayoutRecord } from './queries.ts';
export { isOurReference, type PayoutRails, sentTransferOf } from './rails.ts';
export { singlePayoutRoutes } from './single/routes.ts';
export { scheduleRoutes } from './single/schedule-routes.ts';
export { singleSubject } from './single/single-subject.ts';
export { payoutDetails, reportedView } from './views.ts';
