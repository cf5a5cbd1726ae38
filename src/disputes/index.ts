export { ANSWER_DIGEST_NOW } from './answer-queries.ts';
export { askAboutDisputes, pollDisputes, remindOfDisputes } from './ask-providers.ts';
export { createDisputeDeductions } from './deduction-owner.ts';
export { type DisputeDeps, findDisputeRail } from './deps.ts';
export { createDisputeHook } from './hold-released.ts';
export {
  dismissReported,
  readDisputeQueue,
  readReported,
} from './operator-queue.ts';
export { type DisputeRow, disputeEvidenceDigest, disputeStates } from './queries.ts';
export { repayDebts } from './repay-debt.ts';
export { disputeRoutes } from './routes.ts';
export { disputeEvents } from './schemas.ts';
export { sendDueAnswers } from './send-answers.ts';
export { createDisputeStop } from './settlement-stop.ts';
export { takeDisputeWebhook } from './take-dispute.ts';
export { disputeAdvanceWrites } from './times.ts';
