export { batchSubject } from './batch-approval.ts';
export { EXPIRES_AFTER_MS } from './batch-change.ts';
export { batchStates } from './batch-state.ts';
export { complaintsOf, readMaxAmount } from './check-item.ts';
export {
  type CopiedItemRow,
  insertCopiedItems,
  listItemsRetried,
  listItemsToRepeat,
  listItemsToRetry,
  listRetries,
  listUncertainItems,
  updateBatchesOrigin,
} from './copy-queries.ts';
export { createBatchDeps } from './deps.ts';
export { differenceRoutes } from './difference-routes.ts';
export { createIsPaidBefore } from './dispatch-parts.ts';
export { ITEM_FINGERPRINT, ITEM_HASH, ITEMS_DIGEST } from './dispatch-queries.ts';
export { batchAdvanceWrites, dueBatches } from './due-batches.ts';
export { createBatchEndHook } from './end-batch.ts';
export { dueChunks } from './expand-chunks.ts';
export { createBankFinder, type FindBank } from './find-bank.ts';
export { groupRoutes } from './group-routes.ts';
export { deleteItemsBetween, findLastPosition, type GivenItemRow, insertGivenItems } from './item-queries.ts';
export { cleanText, parseItemAmount, readAccount, readAmount, readPhone } from './item-text.ts';
export {
  errorsOf,
  isUnread,
  itemProblem,
  itemProblems,
  keptProblems,
  problemsText,
  reasonOf,
  warningsOf,
  warningTexts,
} from './problems.ts';
export { type BatchRow, findBatch, type ItemRow, insertBatches } from './queries.ts';
export { requireBatch } from './read-batches.ts';
export { batchReadRoutes, batchRoutes, itemRoutes, outcomeRoutes } from './routes.ts';
export { accountName, BatchParams, BatchSchema, batchEvents, itemFields, phoneNumber } from './schemas.ts';
export { batchView } from './views.ts';
