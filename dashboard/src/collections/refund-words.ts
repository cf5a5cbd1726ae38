import type { Data } from '../api/types.ts';

type RefundDetail = Data<'get', '/collection/refund/{refundId}'>;
export type Refund = RefundDetail['refund'];
export type RefundAttempt = RefundDetail['evidence'][number];

export const REFUND_WORDS: Record<Refund['status'], string> = {
  PENDING_APPROVAL: 'Waiting for approval',
  QUEUED: 'About to be sent',
  PROCESSING: 'With the provider',
  NEEDS_DETAILS: 'Needs the payer’s account',
  SUCCESS: 'Refunded',
  FAILED: 'Failed',
  CANCELLED: 'Not approved',
};
