export { type PaymentToWallet, paymentToWallet, readCreditTerms, storedPayment, takenOf } from './credit-movement.ts';
export type { DeductionFacts, DeductionOwner, FindDeductionOwner } from './deduction-owner.ts';
export {
  type CollectionAccounts,
  type CollectionDeps,
  type CreditDirectory,
  type CreditEffect,
  type CreditGuard,
  type CreditHook,
  createCollectionAccounts,
  createCreditDirectory,
  type GuardedCredit,
  type ReleaseHook,
  releaseEffects,
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
  updatePaymentsAttributed,
} from './queries.ts';
export { OPEN_RECEIVABLES } from './receivable-queries.ts';
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
export { commitForPayment, ofPayment } from './unchanged-payment.ts';
export { inboundPaymentView, type PaymentRefunds } from './views.ts';
