export { type CollectionAccounts, createCollectionAccounts } from './collection-accounts.ts';
export { type CreditDirectory, createCreditDirectory } from './credit-directory.ts';
export {
  type PaymentToWallet,
  paymentToWallet,
  readCreditTerms,
  storedPayment,
  termsColumns,
} from './credit-movement.ts';
export {
  type CollectionDeps,
  type CreditEffect,
  type CreditGuard,
  type CreditHook,
  type DeductionFacts,
  type DeductionOwner,
  type FindDeductionOwner,
  type GuardedCredit,
  type ReleaseHook,
  releaseParts,
} from './deps.ts';
export { insertDecidedCredit } from './directory-queries.ts';
export { inboundPaymentNotFound, paymentChanged } from './errors.ts';
export {
  type OpenCreditRow,
  type OpenCreditStatus,
  openCreditDigest,
  updateOpenCreditDecided,
} from './open-credit-queries.ts';
export { isReversedByProvider } from './open-credits.ts';
export { askAboutOpenCredit, hintOf, pollCredits, retryOpenCredits } from './poll-credits.ts';
export {
  evidenceDigest,
  findCollectionSettlement,
  findInboundPayment,
  type InboundPaymentRow,
  inboundStates,
  leftOf,
  listInboundEvidence,
  OPEN_RECEIVABLES,
  updatePaymentsAttributed,
} from './queries.ts';
export { collectionRoutes } from './routes.ts';
export { collectionEvents, inboundStatus } from './schemas.ts';
export { type CreditSearch, type FoundCreditRow, findCreditTenant, searchCredits } from './search-credits.ts';
export { findCreditRail, isBookedNow, type TakenCredit, takeCredit, takeCreditWebhook } from './take-credit.ts';
export {
  nothingTakenBack,
  readTakenBack,
  releaseTakenBack,
  takeBack,
  takeBackUpTo,
  takenBackByOthers,
} from './taken-back.ts';
export { commitForPayment, unchangedPayment } from './unchanged-payment.ts';
export { inboundPaymentView, type PaymentRefunds } from './views.ts';
