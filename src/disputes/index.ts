export { ANSWER_DIGEST_NOW, DUE_ANSWERS } from './answer-queries.ts';
export { askAboutDisputes, askAboutEnds, pollDisputes } from './ask-providers.ts';
export { endByHand, findLastSaid, findNumbered, knowsByPeopleOnly, openByHand } from './by-hand.ts';
export { noteLookedInto } from './contradicted-end.ts';
export { createDisputeDeductions, DISPUTE_UNDER_WAY } from './deduction-owner.ts';
export { type DisputeDeps, findDisputeRail } from './deps.ts';
export { REPORTED_DISPUTES } from './directory-queries.ts';
export { disputeEnded } from './errors.ts';
export { disputeEvidenceDigest } from './evidence-queries.ts';
export { SHORT_DISPUTES, UNHELD_DISPUTES } from './freed-queries.ts';
export { createDisputeHook, createDisputeStop } from './hooks.ts';
export type { DecidedParts } from './open-dispute.ts';
export {
  countDisputesToLookAt,
  dismissReported,
  readDisputeQueue,
  readReported,
} from './operator-queue.ts';
export {
  DISPUTE_CATEGORIES,
  type DisputeRow,
  DUE_DISPUTES,
  disputeStates,
  ENDED_DISPUTES,
  OWED_DISPUTES,
} from './queries.ts';
export { remindOfDisputes } from './remind.ts';
export { repayDebts } from './repay-debt.ts';
export { disputeRoutes } from './routes.ts';
export { disputeEvents } from './schemas.ts';
export { sendDueAnswers } from './send-answers.ts';
export { takeDisputeWebhook } from './take-dispute.ts';
export { takeFreed } from './take-freed.ts';
export { disputeAdvanceWrites } from './times.ts';
export { saidIn } from './unlisted-state.ts';
export { type DisputeParts, readDisputeParts, requireDispute } from './views.ts';
