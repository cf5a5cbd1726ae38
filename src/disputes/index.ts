export { createDisputeHook } from './hold-released.ts';
export { ANSWER_DIGEST_NOW } from './answer-queries.ts';
export { askAboutDisputes, pollDisputes, remindOfDisputes } from './ask-providers.ts';
export { type DisputeDeps, findDisputeRail } from './deps.ts';
export { type DisputeRow, disputeEvidenceDigest, disputeStates } from './queries.ts';
export { repayDebts } from './repay-debt.ts';
export { sendDueAnswers } from './send-answers.ts';
export { takeDisputeWebhook } from './take-dispute.ts';
