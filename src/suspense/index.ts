export { askAgain, type CreditEnd, confirmForCredit } from './confirm-credit.ts';
export { confirmForPayment } from './confirm-payment.ts';
export { closeCreditProposal, proposeForCredit } from './credit-proposals.ts';
export { CREDIT_PROPOSAL_FINGERPRINT } from './credit-queries.ts';
export { closePaymentProposal, proposeForPayment } from './payment-proposals.ts';
export { SUSPENSE_FINGERPRINT } from './payment-queries.ts';
export {
  CREDIT_ACTIONS,
  PAYMENT_ACTIONS,
  SUSPENSE_SOURCES,
  type SuspenseSource,
  suspenseProposalStates,
} from './proposal.ts';
export type { ReceivableRow, SuspenseFilter } from './queue-queries.ts';
export {
  countSuspenseToDecide,
  readReceivables,
  readSuspense,
  type ShownProposal,
  type SuspenseEntry,
} from './read-suspense.ts';
export { exportSuspense } from './suspense-csv.ts';
