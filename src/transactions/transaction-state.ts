import { stateMachine } from '../ledger/index.ts';

export type TransactionStatus =
  | 'PENDING_APPROVAL'
  | 'SCHEDULED'
  | 'QUEUED'
  | 'PROCESSING'
  | 'SUCCESS'
  | 'FAILED'
  | 'REVERSED'
  | 'CANCELLED';

/** A transfer between wallets is born `SUCCESS`; a payout walks this table. `SUCCESS` may still become `REVERSED`. */
export const transactionStates = stateMachine<TransactionStatus>('transaction', 'transactions', {
  PENDING_APPROVAL: ['SCHEDULED', 'QUEUED', 'CANCELLED'],
  SCHEDULED: ['QUEUED', 'FAILED', 'CANCELLED'],
  QUEUED: ['PROCESSING', 'SUCCESS', 'FAILED', 'CANCELLED'],
  PROCESSING: ['SUCCESS', 'FAILED', 'PROCESSING'],
  SUCCESS: ['REVERSED'],
  FAILED: [],
  REVERSED: [],
  CANCELLED: [],
});

/** May a client act on this status as final? Success is: should the bank return the money later, an event says so. */
export function isConclusive(status: TransactionStatus): boolean {
  return status === 'SUCCESS' || status === 'FAILED' || status === 'REVERSED' || status === 'CANCELLED';
}
