export { approveCredit, rejectCredit, withdrawCredit } from './decide-credit.ts';
export { documentMissing, documentTooLarge } from './errors.ts';
export { manualCreditStates } from './manual-credit-state.ts';
export { type GivenCredit, proposeCredit } from './propose-credit.ts';
export {
  CREDIT_FINGERPRINT,
  type CreditState,
  DOCUMENT_IS_WHOLE,
  type ListedCreditRow,
} from './queries.ts';
export {
  type CreditEvidence,
  countCreditsToDecide,
  readCreditDocument,
  readCreditEvidence,
  readManualCredits,
} from './read-credits.ts';
