import type { RecordOf } from '../api/types.ts';

/** The states of a transaction, in the order in which it goes through them: choices of filters. */
export const TRANSACTION_STATUSES = [
  'PENDING_APPROVAL',
  'SCHEDULED',
  'QUEUED',
  'PROCESSING',
  'SUCCESS',
  'FAILED',
  'REVERSED',
  'CANCELLED',
] as const satisfies readonly RecordOf<'/transaction'>['status'][];
