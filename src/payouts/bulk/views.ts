import type { Quote } from '../../fees/index.ts';
import { toNumber } from '../../money/index.ts';
import { batchReferenceOf } from '../../transactions/index.ts';
import type { BatchStatus } from './batch-state.ts';
import type { BatchRow, ItemCounts, ListedItemRow } from './queries.ts';

const isoTime = (time: string | Date): string => (time instanceof Date ? time.toISOString() : time);
const isoTimeOrNull = (time: string | Date | null): string | null => (time === null ? null : isoTime(time));

const ENDS: ReadonlySet<BatchStatus> = new Set(['COMPLETED', 'PARTIALLY_COMPLETED', 'CANCELLED', 'EXPIRED']);

export function batchView(batch: BatchRow) {
  return {
    id: batch.id,
    batchReference: batchReferenceOf(batch.id),
    status: batch.status,
    conclusive: ENDS.has(batch.status),
    reason: batch.reason,
    purpose: batch.purpose,
    itemCount: batch.item_count,
    mode: batch.mode,
    createdAt: isoTime(batch.created_at),
    updatedAt: isoTime(batch.updated_at),
    expiresAt: isoTime(batch.expires_at),
    dispatchedAt: isoTimeOrNull(batch.dispatched_at),
  };
}

export type BatchTotals = Pick<
  Quote,
  'amountMinor' | 'feeMinor' | 'vatMinor' | 'stampDutyMinor' | 'chargesMinor' | 'totalMinor'
>;

export interface PayoutCounts {
  open: number;
  succeeded: number;
  failed: number;
  reversed: number;
}

/** The batch with its counts and what it costs: a quote before the dispatch, what it came to after. */
export function batchSummaryView(batch: BatchRow, items: ItemCounts, payouts: PayoutCounts, totals: BatchTotals) {
  return {
    ...batchView(batch),
    counts: { ...items },
    payouts: { ...payouts },
    totals: {
      amount: toNumber(totals.amountMinor),
      fee: toNumber(totals.feeMinor),
      vat: toNumber(totals.vatMinor),
      stampDuty: toNumber(totals.stampDutyMinor),
      charges: toNumber(totals.chargesMinor),
      total: toNumber(totals.totalMinor),
      currency: 'NGN' as const,
    },
  };
}

/** A bulk payout record. Names are empty text until a bank has given them. */
export function itemView(item: ListedItemRow) {
  return {
    id: item.id,
    position: item.position,
    amount: toNumber(item.amount_minor),
    bankCode: item.bank_code,
    bankName: item.bank_name ?? '',
    accountNumber: item.account_number,
    accountName: item.account_name ?? '',
    narration: item.narration,
    phoneNumber: item.phone_number,
    isValid: item.is_valid,
    reason: item.validated_at === null ? 'This item has not been validated yet.' : item.reason,
    validatedAt: isoTimeOrNull(item.validated_at),
    createdAt: isoTime(item.created_at),
    transactionId: item.payout_status === null ? null : item.id,
    payoutStatus: item.payout_status,
    payoutReason: item.payout_reason,
  };
}
