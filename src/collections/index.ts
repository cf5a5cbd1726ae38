export { type PaymentToWallet, paymentToWallet } from './credit-movement.ts';
export { findCreditRail } from './credit-rails.ts';
export type { CollectionDeps, CreditEffect, CreditHook } from './deps.ts';
export { insertDecidedCredit } from './directory-queries.ts';
export { inboundPaymentNotFound } from './errors.ts';
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
  type InboundPaymentRow,
  inboundStates,
  updatePaymentsAttributed,
} from './queries.ts';
export { createReceivables, type FindReceivable } from './receivables.ts';
export { askAboutOpenCredit, hintOf, retryOpenCredits } from './retry-credits.ts';
export { collectionRoutes } from './routes.ts';
export { type TakenCredit, takeCredit } from './take-credit.ts';
export { inboundPaymentView } from './views.ts';
