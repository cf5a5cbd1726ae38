export { applyOutcome } from './apply-outcome.ts';
export { payoutAdvanceWrites, sendDuePayouts } from './due-payouts.ts';
export { keepEvidence, payoutEvidence } from './provider-response.ts';
export { takeProviderWebhooks } from './provider-webhooks.ts';
export { updatePayoutLeased, updatePayoutReleased } from './queries.ts';
export { requeryRoutes } from './routes.ts';
