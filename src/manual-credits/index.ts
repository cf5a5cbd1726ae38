export { approveCredit, rejectCredit, withdrawCredit } from './decide-credit.ts';
export { documentMissing, documentTooLarge } from './errors.ts';
export { type GivenCredit, proposeCredit } from './propose-credit.ts';
export {
  CREDIT_FINGERPRINT,
  type CreditState,
  DOCUMENT_IS_WHOLE,
  type ListedCreditRow,
  manualCreditStates,
} from './queries.ts';
export {
  type CreditEvidence,
  countCreditsToDecide,
  readCreditDocument,
  readCreditEvidence,
  readManualCredits,
} from './read-credits.ts';
