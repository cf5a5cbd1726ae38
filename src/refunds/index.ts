export type { RefundDeps } from './deps.ts';
export { refundAdvanceWrites, sendDueRefunds } from './due-refunds.ts';
export { createRefundEndHook } from './follow-payout.ts';
export { refundAttemptDigest, refundStates } from './queries.ts';
export { readRefundsOfPayment } from './read-refunds.ts';
export { refundSubject } from './refund-subject.ts';
export { refundRoutes } from './routes.ts';
export { refundEvents } from './schemas.ts';
export { takeRefundWebhook } from './take-refund-webhook.ts';
