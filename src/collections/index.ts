export { type CollectionAccounts, createCollectionAccounts } from './collection-accounts.ts';
export { type PaymentToWallet, paymentToWallet, storedPayment } from './credit-movement.ts';
export { findCreditRail } from './credit-rails.ts';
export type { CollectionDeps, CreditEffect, CreditHook } from './deps.ts';
export { insertDecidedCredit } from './directory-queries.ts';
export { inboundPaymentNotFound, paymentChanged } from './errors.ts';
export { collectionEvents } from './events.ts';
export { type CreditDirectory, createCreditDirectory } from './note-credits.ts';
export {
  type OpenCreditRow,
  type OpenCreditStatus,
  openCreditDigest,
  updateOpenCreditDecided,
} from './open-credit-queries.ts';
export { pollCredits } from './poll-credits.ts';
export { takeCreditWebhook } from './provider-webhooks.ts';
export {
  evidenceDigest,
  findCollectionSettlement,
  findInboundPayment,
  type InboundPaymentRow,
  inboundStates,
  listInboundEvidence,
  updatePaymentsAttributed,
} from './queries.ts';
export { askAboutOpenCredit, hintOf, retryOpenCredits } from './retry-credits.ts';
export { collectionRoutes } from './routes.ts';
export { type CreditSearch, type FoundCreditRow, findCreditTenant, searchCredits } from './search-credits.ts';
export { isBookedNow, type TakenCredit, takeCredit } from './take-credit.ts';
export { commitForPayment, ofPayment } from './unchanged-payment.ts';
export { inboundPaymentView } from './views.ts';
