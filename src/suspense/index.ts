export { askAgain, confirmForCredit } from './confirm-credit.ts';
export { confirmForPayment, type PaymentReview } from './confirm-payment.ts';
export {
  CREDIT_ACTIONS,
  PAYMENT_ACTIONS,
  SUSPENSE_SOURCES,
  type SuspenseSource,
  suspenseProposalStates,
} from './proposal.ts';
export { CREDIT_PROPOSAL_FINGERPRINT, SUSPENSE_FINGERPRINT } from './proposal-queries.ts';
export { closeCreditProposal, closePaymentProposal, proposeForCredit, proposeForPayment } from './proposals.ts';
export type { ReceivableRow, SuspenseFilter } from './queue-queries.ts';
export {
  countSuspenseToDecide,
  exportSuspense,
  readPaymentToDecide,
  readReceivables,
  readSuspense,
  type ShownProposal,
  type SuspenseEntry,
} from './read-suspense.ts';
