export { type PaidTotal, readLastPaid, readPaidTotal, readPayoutsTo } from './account-history.ts';
export { amountsOf } from './amount-range.ts';
export type { TransactionDetails } from './details.ts';
export { transactionNotFound } from './errors.ts';
export { transactionEvents } from './events.ts';
export type { TimeOrder } from './list-queries.ts';
export { findTransactionNotes, requireTransaction } from './list-transactions.ts';
export {
  type DelayRow,
  insertTransactions,
  type TransactionCategory,
  type TransactionRow,
  updateDelayReasons,
  updateProcessingReason,
  updateTransactionCharges,
  updateTransactionsPaid,
} from './queries.ts';
export { type EvidenceParts, readEvidence } from './read-evidence.ts';
export { type TransactionRoutesDeps, transactionRoutes } from './routes.ts';
export {
  EvidenceSchema,
  OPERATOR_REASONS,
  PartText,
  Purpose,
  payoutFields,
  ReportedSchema,
  TimeOrderSchema,
  TransactionSchema,
  TransactionStatusSchema,
} from './schemas.ts';
export {
  batchIdOf,
  batchReferenceOf,
  isConclusive,
  metadataText,
  referenceOf,
  type TransactionStatus,
  transactionIdOf,
  transactionStates,
} from './transaction.ts';
export { historyView, listTotalsView, transactionView } from './views.ts';
export { type WalletTransfer, walletTransfer } from './wallet-transfer.ts';
