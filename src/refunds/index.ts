export { STANDS } from './apply-answer.ts';
export { decideRefund, takeForOperator } from './decide-refund.ts';
export { createRefundDeductions, REFUND_UNDER_WAY } from './deduction-owner.ts';
export type { RefundDeps } from './deps.ts';
export { refundAdvanceWrites, sendDueRefunds } from './due-refunds.ts';
export { refundMovedOn, refundNotFound } from './errors.ts';
export { createRefundEndHook } from './follow-payout.ts';
export { createIsRefund, createRefundChecks, createWhyNotRefunded } from './guards.ts';
export { type FreezablePayment, listRefundedPayments } from './payout-queries.ts';
export {
  findRefund,
  REFUND,
  REFUND_OPERATOR_REASONS,
  REFUND_STATUSES,
  REFUND_WAYS,
  type RefundAttemptRow,
  type RefundRow,
  type RefundStatus,
  refundAttemptDigest,
  refundStates,
} from './queries.ts';
export { readRefundsOfPayment } from './read-refunds.ts';
export { refundReceiptRoutes } from './receipt-routes.ts';
export { refundByRules, refundRuleAdvanceWrites } from './refund-by-rule.ts';
export { paymentOf, refundReferenceOf } from './refund-order.ts';
export { withRefundRule } from './refund-rule.ts';
export { refundSubject } from './refund-subject.ts';
export { refundRoutes } from './routes.ts';
export { DUE_REFUNDS, PAYMENTS_TO_REFUND, paymentToRefundStates, refundRuleDigest } from './rule-queries.ts';
export { RefundAttemptSchema, refundEvents } from './schemas.ts';
export { takeRefundWebhook } from './take-refund-webhook.ts';
export { refundAttemptView } from './views.ts';
