export { confirmRefundOutcome, proposeRefundOutcome, rejectRefundOutcome } from './decide-refund-outcome.ts';
export {
  type OperatorRefundFilter,
  REFUND_OUTCOMES,
  REFUND_PROPOSAL_FINGERPRINT,
  refundProposals,
} from './queries.ts';
export {
  countRefundsToDecide,
  type RefundCase,
  type RefundQueueEntry,
  readRefundCase,
  readRefundQueue,
} from './read-refund-outcomes.ts';
