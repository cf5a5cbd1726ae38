import { stateMachine } from '../ledger/index.ts';
import { type TransactionStatus, updateTransactionStates } from './queries.ts';

export type { TransactionStatus };

/**
 * A transfer between wallets is born `SUCCESS`; a payout walks this table. `SUCCESS` may still become `REVERSED`. Who
 * becomes `SUCCESS` was paid at that moment, unless the movement says when.
 */
const machine = stateMachine<TransactionStatus>('transaction', 'transactions', {
  PENDING_APPROVAL: ['SCHEDULED', 'QUEUED', 'CANCELLED'],
  SCHEDULED: ['QUEUED', 'FAILED', 'CANCELLED'],
  QUEUED: ['PROCESSING', 'SUCCESS', 'FAILED', 'CANCELLED'],
  PROCESSING: ['SUCCESS', 'FAILED', 'PROCESSING'],
  SUCCESS: ['REVERSED'],
  FAILED: [],
  REVERSED: [],
  CANCELLED: [],
});

export const transactionStates: typeof machine = { ...machine, update: updateTransactionStates };

/** May a client act on this status as final? Success is: should the bank return the money later, an event says so. */
export function isConclusive(status: TransactionStatus): boolean {
  return status === 'SUCCESS' || status === 'FAILED' || status === 'REVERSED' || status === 'CANCELLED';
}
