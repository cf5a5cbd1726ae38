import type { readDisputeQueue, readReported } from '../disputes/index.ts';
import { toNumber } from '../money/index.ts';

type RowOf<Read extends (...args: never[]) => Promise<{ rows: readonly unknown[] }>> = Awaited<
  ReturnType<Read>
>['rows'][number];

/** A dispute of any merchant, in naira. */
export function operatorDisputeView(row: RowOf<typeof readDisputeQueue>) {
  return {
    disputeId: row.id,
    merchantId: row.merchant_id,
    paymentId: row.payment_id,
    mode: row.mode,
    rail: row.rail,
    providerDisputeId: row.provider_dispute_id,
    status: row.status,
    operatorReason: row.operator_reason,
    amount: toNumber(row.amount_minor),
    disputed: toNumber(row.disputed_minor),
    owed: toNumber(row.loss_minor - row.repaid_minor),
    answerStatus: row.answer_status,
    dueAt: row.due_at?.toISOString() ?? null,
    openedAt: row.opened_at.toISOString(),
  };
}

/** A dispute that leads to no payment. */
export function reportedDisputeView(row: RowOf<typeof readReported>) {
  const { rail, provider_dispute_id, mode, status, reason, reported, first_seen_at } = row;
  return {
    rail,
    providerDisputeId: provider_dispute_id,
    mode,
    status,
    reason,
    reported,
    firstSeenAt: first_seen_at.toISOString(),
  };
}
