import { stateMachine } from '../ledger/index.ts';

export const BATCH_STATUSES = [
  'VALIDATING',
  'NEEDS_FIX',
  'READY',
  'PENDING_APPROVAL',
  'DISPATCHING',
  'COMPLETED',
  'PARTIALLY_COMPLETED',
  'CANCELLED',
  'EXPIRED',
] as const;

export type BatchStatus = (typeof BATCH_STATUSES)[number];

/**
 * A group action that changes what a bank was asked about leads back to `VALIDATING`. With `skipInvalid` a batch is
 * dispatched from `NEEDS_FIX` too. A batch that is not approved in time returns to its former state. From `DISPATCHING`
 * a batch only ends.
 */
export const batchStates = stateMachine<BatchStatus>('batch', 'batches', {
  VALIDATING: ['READY', 'NEEDS_FIX', 'CANCELLED', 'EXPIRED'],
  NEEDS_FIX: ['VALIDATING', 'READY', 'PENDING_APPROVAL', 'DISPATCHING', 'CANCELLED', 'EXPIRED'],
  READY: ['VALIDATING', 'NEEDS_FIX', 'PENDING_APPROVAL', 'DISPATCHING', 'CANCELLED', 'EXPIRED'],
  PENDING_APPROVAL: ['VALIDATING', 'READY', 'NEEDS_FIX', 'DISPATCHING', 'CANCELLED'],
  DISPATCHING: ['COMPLETED', 'PARTIALLY_COMPLETED'],
  COMPLETED: [],
  PARTIALLY_COMPLETED: [],
  CANCELLED: [],
  EXPIRED: [],
});

/**
 * Whether its items may still be corrected or removed, and the batch be cancelled. An approval that it waits for ends
 * with that.
 */
export function isOpen(status: BatchStatus): boolean {
  return status === 'VALIDATING' || status === 'NEEDS_FIX' || status === 'READY' || status === 'PENDING_APPROVAL';
}
