import { toNumber } from '../money/index.ts';
import type { HeldAmounts } from '../payouts/index.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import type { BatchStatus } from './batch-state.ts';
import type { PayoutStateRow } from './copy-queries.ts';
import type { ListedItemRow } from './item-queries.ts';
import { type Duplicates, errorsOf, reasonOf, repeatOf, warningsOf, warningTexts } from './problems.ts';
import { type BatchRecord, type BatchRow, waitingItems } from './queries.ts';

const ENDS: ReadonlySet<BatchStatus> = new Set(['COMPLETED', 'PARTIALLY_COMPLETED', 'CANCELLED', 'EXPIRED']);

/** Columns that the table has and a batch gets only later. */
type Later =
  | 'approval_id'
  | 'origin_batch_id'
  | 'repeated_batch_id'
  | 'amount_minor'
  | 'valid_minor'
  | 'succeeded_minor';

export function batchView(batch: BatchRow & Partial<Pick<BatchRecord, Later>>) {
  return {
    id: batch.id,
    batchReference: batchReferenceOf(batch.id),
    status: batch.status,
    conclusive: ENDS.has(batch.status),
    reason: batch.reason,
    purpose: batch.purpose,
    itemCount: batch.item_count,
    version: batch.version,
    source: batch.source,
    fileName: batch.file_name,
    mode: batch.mode,
    createdAt: batch.created_at.toISOString(),
    updatedAt: batch.updated_at.toISOString(),
    expiresAt: batch.expires_at.toISOString(),
    dispatchedAt: batch.dispatched_at?.toISOString() ?? null,
    approvalId: batch.approval_id ?? null,
    originBatchReference: batch.origin_batch_id ? batchReferenceOf(batch.origin_batch_id) : null,
    repeatedBatchReference: batch.repeated_batch_id ? batchReferenceOf(batch.repeated_batch_id) : null,
    amount: toNumber(batch.amount_minor ?? batch.valid_minor ?? 0n),
    paidAmount: toNumber(batch.succeeded_minor ?? 0n),
  };
}

/** A batch in a list: how many rows its amount sums stands beside it. */
export const listedBatchView = (batch: BatchRecord) => ({ ...batchView(batch), validItemCount: batch.valid_items });

/** How far a worker is with a batch. */
export interface BatchProgress {
  phase: 'VALIDATING' | 'SENDING' | null;
  done: number;
  total: number;
  estimatedSecondsLeft: number | null;
}

export interface BatchSummary {
  /** A quote before the dispatch, what was held after it. */
  totals: HeldAmounts;
  /** As of now, or as it was dispatched. */
  duplicates: Duplicates;
  /** Payouts whose outcome nobody knows yet. */
  unknown: number;
  progress: BatchProgress;
  digest: string | null;
}

export function batchSummaryView(batch: BatchRecord, { totals, duplicates, unknown, progress, digest }: BatchSummary) {
  const chargesMinor = totals.feeMinor + totals.vatMinor + totals.stampDutyMinor;
  return {
    ...batchView(batch),
    counts: {
      total: batch.item_count,
      valid: batch.valid_items,
      invalid: batch.invalid_items,
      waiting: waitingItems(batch),
      warnings: batch.warned_items,
      lowMatch: batch.low_match_items,
    },
    duplicates: { count: duplicates.items, amount: toNumber(duplicates.amountMinor) },
    payouts: {
      open: batch.open_items,
      unknown,
      succeeded: batch.succeeded_items,
      failed: batch.failed_items,
      reversed: batch.reversed_items,
    },
    totals: {
      amount: toNumber(totals.amountMinor),
      fee: toNumber(totals.feeMinor),
      vat: toNumber(totals.vatMinor),
      stampDuty: toNumber(totals.stampDutyMinor),
      charges: toNumber(chargesMinor),
      total: toNumber(totals.amountMinor + chargesMinor),
      currency: 'NGN' as const,
    },
    progress,
    digest,
  };
}

const acceptedOf = ({ accepted }: ListedItemRow): string[] =>
  accepted === null ? [] : (JSON.parse(accepted) as string[]);

/** A bulk payout record. Names are empty text until a bank has given them. */
export function itemView(
  batch: Pick<BatchRow, 'dispatched_at'>,
  item: ListedItemRow,
  earlier: PayoutStateRow | undefined,
) {
  // Dispatched, but not yet a payout of its own: its money is held, and its turn will come.
  const held = batch.dispatched_at !== null && item.is_valid && item.payout_status === null;
  return {
    id: item.id,
    position: item.position,
    amount: toNumber(item.amount_minor),
    givenAmount: item.amount_minor === 0n ? item.given_amount : null,
    bankCode: item.bank_code,
    bankName: item.bank_name ?? '',
    accountNumber: item.account_number,
    accountName: item.account_name ?? '',
    givenName: item.given_name,
    matchScore: item.match_score,
    narration: item.narration,
    phoneNumber: item.phone_number,
    isValid: item.is_valid,
    reason: item.validated_at === null ? 'This item has not been validated yet.' : reasonOf(item),
    warnings: warningTexts(item),
    problems: [
      ...errorsOf(item).map((problem) => ({ ...problem, severity: 'ERROR' as const })),
      ...warningsOf(item).map((problem) => ({ ...problem, severity: 'WARNING' as const })),
    ],
    repeats: repeatOf(item),
    accepted: acceptedOf(item),
    validatedAt: item.validated_at?.toISOString() ?? null,
    createdAt: item.created_at.toISOString(),
    transactionId: item.payout_status === null ? null : item.id,
    payoutStatus: held ? ('QUEUED' as const) : item.payout_status,
    payoutReason: item.payout_reason,
    paysAgain:
      earlier === undefined
        ? null
        : { transactionId: earlier.id, payoutStatus: earlier.status, payoutReason: earlier.reason },
  };
}
