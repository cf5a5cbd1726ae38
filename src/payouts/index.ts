export { bankCodeOf, firstItemToBePaid } from './dedupe-key-queries.ts';
export {
  BATCHES,
  BEFORE_ALL_EVENTS,
  dedupeApproved,
  dedupeItems,
  KEYS,
  readWindows,
  releaseDedupeKeys,
  sweepDedupeKeys,
  WAITING,
  type Windows,
} from './dedupe-keys.ts';
export {
  CHUNKS,
  type HoldPayouts,
  joinEndHooks,
  type NewLease,
  type NewPayoutLeases,
  PAYOUTS,
  type PayoutDeps,
  type PayoutEndHook,
  type PayoutGuard,
  type Reservation,
  type WorkerOfPayouts,
} from './deps.ts';
export {
  PAYMENT_ERRORS,
  payoutMovedOn,
  REPEATED,
  transactionAlreadyCompleted,
} from './errors.ts';
export { type HeldAmounts, makeHolds, releaseGuards, resolveHolds, returnMoney } from './holds.ts';
export { newPayoutParts, processingPayoutParts } from './new-payout-parts.ts';
export { keepContradiction, operatorReason, putBeforeOperator } from './operator-review.ts';
export { newPayout, queuedPayout } from './payout-record.ts';
export {
  type AttemptRow,
  attemptDigest,
  EACH_WITH_TRANSACTION,
  findPayout,
  insertAttempts,
  listAttempts,
  type OperatorReason,
  type PayoutRecord,
  type PayoutStep,
  RECORD,
  type SealedAttempt,
  sealAttempt,
  updatePayoutsConcluded,
  updatePayoutsHeld,
  WITH_TRANSACTION,
} from './queries.ts';
export {
  differingFacts,
  type PayoutRails,
  payoutIdOf,
  requireChosenRail,
  requireRail,
  requireRailOf,
  SCENARIO_HEADER,
  scenarioOf,
  sentTransferOf,
} from './rails.ts';
export { scheduleRoutes, singlePayoutRoutes } from './routes.ts';
export { PayoutSchema, payoutEvents, RequeryBody, type RequeryInput, ScenarioHeaders } from './schemas.ts';
export { prepareServicePayout, servicePayoutParts } from './service-payout.ts';
export { type AttachedParts, paySingle, REFERENCE_SCOPE } from './single-payout.ts';
export { isAsApproved, singleSubject } from './single-subject.ts';
export {
  attemptView,
  nameEnquiryView,
  payoutDetails,
  payoutEvent,
  payoutView,
  railsView,
  reportedFacts,
  reportedText,
  reportedView,
} from './views.ts';
