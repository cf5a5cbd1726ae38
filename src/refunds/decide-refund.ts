import type { MovementParts } from '../ledger/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import type { RefundAnswer } from '../rails/index.ts';
import { applyAnswer, letRefundStand } from './apply-answer.ts';
import type { RefundDeps } from './deps.ts';
import { isConclusive, leaseRefundForOperator, type RefundRow, releaseRefund } from './queries.ts';
import { orderOf, paymentOf } from './refund-order.ts';

/** How long a refund is leased while people decide it; after a crash it is free again this late. */
const DECIDING_MS = 60_000;
/** For so long after a worker's lease ran out, its call may still be at the provider. */
const WORKER_IS_DEAD_MS = 60_000;

/**
 * Keeps workers off an open refund while people decide it.
 * @returns a function that releases it unchanged; undefined where a worker has it or it has moved on.
 */
export async function takeForOperator(deps: RefundDeps, refund: RefundRow): Promise<(() => Promise<void>) | undefined> {
  if (isConclusive(refund.status)) return async () => undefined;
  const { due_at: dueAt, next_step: step, first_sent_at, sent_at } = refund;
  const now = deps.clock.now().getTime();
  const key = [refund.merchant_id, refund.mode, refund.id];
  const leaseId = newId();
  const until = new Date(now + DECIDING_MS);
  const lease = [...key, dueAt, until, leaseId, new Date(now - WORKER_IS_DEAD_MS)];
  if ((await deps.database.query(leaseRefundForOperator, lease)).length === 0) return undefined;
  return async () => {
    const back = [...key, leaseId, dueAt, step, first_sent_at, sent_at, null, null, deps.clock.now()];
    await deps.database.query(releaseRefund, back);
  };
}

interface Decision {
  outcome: 'succeeded' | 'failed';
  note: string;
  /**
   * The confirmation of the proposal: in the movement that applies it, or, where nothing moves, in one transaction with
   * the rest.
   */
  parts: MovementParts;
  confirm(tx: Queries): Promise<void>;
}

/**
 * Applies a decision of two of the operator's people like an answer of the provider: the same books and the same event
 * in one movement with `parts`. Where the refund ended as they say, nothing moves, and it is no longer before the
 * operator.
 * @throws AppError 409 `REFUND_MOVED_ON` where it is no longer what they decided about.
 */
export async function decideRefund(
  deps: RefundDeps,
  refund: RefundRow,
  { outcome, note, parts, confirm }: Decision,
): Promise<void> {
  const answer: RefundAnswer = {
    outcome,
    code: null,
    reason: outcome === 'failed' ? 'OPERATOR_DECIDED_FAILED' : null,
    message: note,
    providerRefundId: null,
    at: deps.clock.now(),
    reported: { reference: null, providerTransactionId: null, amountMinor: null, currency: null },
  };
  if (isConclusive(refund.status)) return letRefundStand(deps, refund, { answer, note, confirm });
  const payment = await paymentOf(deps, refund);
  await applyAnswer(deps, refund, { order: orderOf(refund, payment, 0), payment }, answer, { note, parts });
}
