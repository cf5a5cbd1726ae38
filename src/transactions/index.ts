export { type PaidTotal, readLastPaid, readPaidTotal, readPayoutsTo } from './account-history.ts';
export type { TimeOrder } from './list-queries.ts';
export {
  amountsOf,
  type EvidenceParts,
  findTransactionNotes,
  readEvidence,
  requireTransaction,
} from './list-transactions.ts';
export {
  type DelayRow,
  insertTransactions,
  OLDEST_ON_THEIR_WAY,
  TRANSACTION_STATUSES,
  type TransactionCategory,
  type TransactionRow,
  updateDelayReasons,
  updateProcessingReason,
  updateTransactionCharges,
  updateTransactionsPaid,
} from './queries.ts';
export { transactionRoutes } from './routes.ts';
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
  transactionEvents,
} from './schemas.ts';
export {
  batchIdOf,
  batchReferenceOf,
  isConclusive,
  metadataText,
  referenceOf,
  type TransactionStatus,
  transactionIdOf,
  transactionNotFound,
  transactionStates,
} from './transaction.ts';
export { historyView, listTotalsView, type TransactionDetails, transactionView } from './views.ts';
export { type TransferSide, transactionParts, walletTransfer } from './wallet-transfer.ts';
