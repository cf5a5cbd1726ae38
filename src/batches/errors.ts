import { AppError } from '../platform/errors.ts';
import { shortened } from '../platform/problem.ts';
import type { BatchStatus } from './batch-state.ts';

export const batchNotFound = () =>
  new AppError('not_found', 'BATCH_NOT_FOUND', 'There is no bulk payout with this reference.');

export const itemNotFound = () =>
  new AppError('not_found', 'BATCH_ITEM_NOT_FOUND', 'There is no bulk payout item with this id.');

/** Another change of the batch was committed first: its author has to read it again. Nothing was done. */
export const batchChanged = () =>
  new AppError(
    'conflict',
    'BATCH_CHANGED',
    'The bulk payout was changed at the same moment. Nothing was done; look at it again and repeat, with a new key.',
  );

/** Another person's change would be lost, which decides who gets how much. `fields`: with what they hold now. */
export const itemChanged = (fields: readonly { field: string; holds: string }[]) =>
  new AppError(
    'conflict',
    'BATCH_ITEM_CHANGED',
    'The bulk payout item was changed since you looked at it. Nothing was done; look at it again.',
    {
      errors: fields.map(({ field, holds }) => ({
        field,
        message: `was changed meanwhile, ${holds === '' ? 'and holds nothing now' : `to ${shortened(holds)}`}`,
      })),
    },
  );

/** The change would meet a group action half way: some rows before it, some after. */
export const batchActionRunning = () =>
  new AppError(
    'conflict',
    'BATCH_ACTION_RUNNING',
    'Rows of the bulk payout are being changed together at this moment. Please try again shortly.',
  );

export const groupNotFound = () =>
  new AppError('not_found', 'BATCH_GROUP_NOT_FOUND', 'No item of the bulk payout has this problem any more.');

export const groupActionRefused = (why: string) => new AppError('refused', 'BATCH_GROUP_ACTION_REFUSED', why);

/** The batch was changed after the action, or the action was undone, or there was none. */
export const nothingToUndo = () =>
  new AppError(
    'conflict',
    'BATCH_NOTHING_TO_UNDO',
    'There is no group action to undo: none was taken, or the bulk payout was changed since.',
  );

/** There is no earlier list like it, and none was named. */
export const nothingToCompare = () =>
  new AppError(
    'conflict',
    'BATCH_NOTHING_TO_COMPARE',
    'There is no earlier bulk payout like this one. Name one with `to`.',
  );

export const batchStillValidating = () =>
  new AppError('conflict', 'BATCH_VALIDATING', 'The bulk payout is still being validated. Please try again shortly.');

export const batchEmpty = () => new AppError('refused', 'BATCH_EMPTY', 'The bulk payout has no item that can be paid.');

export const batchHasInvalidItems = (invalid: number) =>
  new AppError(
    'refused',
    'BATCH_HAS_INVALID_ITEMS',
    `${invalid === 1 ? 'One item is' : `${invalid} items are`} invalid. Correct or remove ${invalid === 1 ? 'it' : 'them'}, ` +
      'or send skipInvalid to pay the valid ones.',
  );

export const batchDigestMismatch = () =>
  new AppError(
    'conflict',
    'BATCH_DIGEST_MISMATCH',
    'The bulk payout is not what you saw: its items or its charges have changed. Nothing was done; look at it again.',
  );

/** The service never changes an item without a new version of its batch: somebody did so past the service. */
export const batchItemsAltered = () =>
  new AppError(
    'conflict',
    'BATCH_ITEMS_ALTERED',
    'Items of the bulk payout were changed behind the service. Nothing was dispatched, and nothing will be before that is ' +
      'put right; the operator has been notified.',
  );

/** One item, and what it repeats. */
interface RepeatedItem {
  position: number;
  warning: string;
}

export function batchDuplicate(items: number, amount: string, first: RepeatedItem): AppError {
  const [they, repeat] = items === 1 ? ['it is', 'One item repeats'] : ['they are', `${items} items repeat`];
  return new AppError(
    'conflict',
    'BATCH_DUPLICATE',
    `${repeat} what was paid or waits to be paid: ${amount} in all. Row ${first.position}: ${first.warning} ` +
      `Send allowDuplicate: true if ${they} meant twice.`,
  );
}

/** For approvers: more duplicates than they were shown. */
export const batchRepeatsMore = (items: number, amount: string, { position, warning }: RepeatedItem) =>
  new AppError(
    'conflict',
    'BATCH_DUPLICATE',
    `More items than you were shown repeat what was paid or waits to be paid: ${items}, ${amount} in all. ` +
      `Row ${position}: ${warning} Reject it, so that its maker looks at it again.`,
  );

/** The batch pays again items that failed; for one of these its rail has reported something else since. */
export const batchOutcomeUncertain = (position: number) =>
  new AppError(
    'conflict',
    'BATCH_OUTCOME_UNCERTAIN',
    `Row ${position} pays again what may have been paid after all: its bank says something else since, and the operator ` +
      'looks into it. Nothing was dispatched. Remove the row, or wait for what is found out.',
  );

/** The dispatch compares the batch again, and a client gets this refusal only after several such attempts. */
export const repeatsChanged = () =>
  new AppError(
    'conflict',
    'BATCH_REPEATS_CHANGED',
    'While the bulk payout was compared with other payments, others were made again and again. Nothing was done; try again.',
    { retryable: true },
  );

/** For workers: items of the chunk were paid otherwise meanwhile. Never returned to a client. */
export const chunkRepeats = () =>
  new AppError('conflict', 'BATCH_CHUNK_REPEATS', 'Items of the chunk repeat what was paid since.', {
    retryable: true,
  });

/** For workers: another one expanded the chunk first. Never returned to a client. */
export const chunkExpanded = () => new AppError('conflict', 'BATCH_CHUNK_EXPANDED', 'The chunk has been expanded.');

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
