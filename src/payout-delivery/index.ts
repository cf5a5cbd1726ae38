export { payoutAdvanceWrites } from './advance-writes.ts';
export { applyOutcome } from './apply-outcome.ts';
export { sendDuePayouts } from './due-payouts.ts';
export { keepEvidence } from './provider-response.ts';
export { takeProviderWebhooks } from './provider-webhooks.ts';
export { updatePayoutLeased, updatePayoutReleased } from './queries.ts';
export { payoutEvidence } from './read-attempts.ts';
export { requeryRoutes } from './routes.ts';
export { createIsSuspended } from './suspension.ts';
