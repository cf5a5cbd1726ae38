import { AppError } from '../../platform/errors.ts';
import type { BatchStatus } from './batch-state.ts';

export const batchNotFound = () =>
  new AppError('not_found', 'BATCH_NOT_FOUND', 'There is no bulk payout with this reference.');

export const itemNotFound = () =>
  new AppError('not_found', 'BATCH_ITEM_NOT_FOUND', 'There is no bulk payout item with this id.');

/** The batch took another version first: whoever changes it has to look at it again. Nothing was done. */
export const batchChanged = () =>
  new AppError(
    'conflict',
    'BATCH_CHANGED',
    'The bulk payout was changed at the same moment. Nothing was done; look at it again and repeat, with a new key.',
  );

export const batchStillValidating = () =>
  new AppError('conflict', 'BATCH_VALIDATING', 'The bulk payout is still being validated. Please try again shortly.');

export const batchEmpty = () => new AppError('refused', 'BATCH_EMPTY', 'The bulk payout has no item that can be paid.');

export const batchHasInvalidItems = (invalid: number) =>
  new AppError(
    'refused',
    'BATCH_HAS_INVALID_ITEMS',
    `${invalid === 1 ? 'One item is' : `${invalid} items are`} invalid. Mend or remove ${invalid === 1 ? 'it' : 'them'}, ` +
      'or send skipInvalid to pay the valid ones.',
  );

export const batchDigestMismatch = () =>
  new AppError(
    'conflict',
    'BATCH_DIGEST_MISMATCH',
    'The bulk payout is not what you saw: its items or its charges have changed. Nothing was done; look at it again.',
  );

/** Nobody changes an item without its batch taking another version: somebody did past the service. */
export const batchItemsAltered = () =>
  new AppError(
    'conflict',
    'BATCH_ITEMS_ALTERED',
    'Items of the bulk payout were changed behind the service. Nothing was dispatched, and nothing will be before that is ' +
      'put right; the operator has been told.',
  );

export const batchDuplicate = (batchReference: string) =>
  new AppError(
    'conflict',
    'BATCH_DUPLICATE',
    `Bulk payout ${batchReference} paid the same amounts to the same accounts within the last 24 hours. ` +
      'Send allowDuplicate: true if they are meant twice.',
  );

/** For workers: another one opened the chunk first. Never told to a client. */
export const chunkOpened = () => new AppError('conflict', 'BATCH_CHUNK_OPENED', 'The chunk has been opened.');

/** Why a batch in this state can no longer be changed, dispatched or cancelled. */
export function batchClosed(status: BatchStatus): AppError {
  switch (status) {
    case 'CANCELLED':
      return new AppError('conflict', 'BATCH_ALREADY_CANCELLED', 'Bulk payout has already been cancelled');
    case 'EXPIRED':
      return new AppError('conflict', 'BATCH_EXPIRED', 'The bulk payout was not touched for 7 days and has expired.');
    case 'PENDING_APPROVAL':
      return new AppError('conflict', 'BATCH_PENDING_APPROVAL', 'The bulk payout is waiting for approval.');
    default:
      return new AppError('conflict', 'BATCH_ALREADY_DISPATCHED', 'Bulk payout has already been dispatched');
  }
}
