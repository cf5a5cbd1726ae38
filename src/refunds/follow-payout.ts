import { joinParts, type MovementParts } from '../ledger/index.ts';
import { findPayout, type PayoutEndHook, type PayoutRecord } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { tenantOf } from '../platform/tenant.ts';
import type { TransactionStatus } from '../transactions/index.ts';
import type { RefundDeps } from './deps.ts';
import { refundMovedOn } from './errors.ts';
import { releaseRefundGuards } from './guards.ts';
import { updateRefundsOfPayouts } from './payout-queries.ts';
import { findRefund, leaseRefund, type RefundRow, type RefundStatus, releaseRefund } from './queries.ts';
import { refundStep } from './refund-step.ts';

const LEASE_MS = 30_000;
/** A refund may be so many steps behind its payout. */
const MAX_STEPS = 6;

/** The state of a refund by the state of its payout. A payout that came back did not reach the payer. */
const TARGETS: Record<TransactionStatus, RefundStatus> = {
  PENDING_APPROVAL: 'PENDING_APPROVAL',
  SCHEDULED: 'PENDING_APPROVAL',
  QUEUED: 'QUEUED',
  PROCESSING: 'PROCESSING',
  SUCCESS: 'SUCCESS',
  FAILED: 'FAILED',
  REVERSED: 'FAILED',
  CANCELLED: 'CANCELLED',
};

/** The states that a refund passes on the way to each end. */
const PATHS: Record<RefundStatus, readonly RefundStatus[]> = {
  PENDING_APPROVAL: ['PENDING_APPROVAL'],
  QUEUED: ['PENDING_APPROVAL', 'QUEUED'],
  PROCESSING: ['PENDING_APPROVAL', 'QUEUED', 'PROCESSING'],
  NEEDS_DETAILS: [],
  SUCCESS: ['PENDING_APPROVAL', 'QUEUED', 'PROCESSING', 'SUCCESS'],
  FAILED: ['PENDING_APPROVAL', 'QUEUED', 'FAILED'],
  CANCELLED: ['PENDING_APPROVAL', 'CANCELLED'],
};

/** The next state of a refund on the way to that of its payout; undefined where it has it. */
function nextOf(status: RefundStatus, target: RefundStatus): RefundStatus | undefined {
  if (status === target) return undefined;
  const way = PATHS[target];
  const at = way.indexOf(status);
  return at === -1 ? target : way[at + 1];
}

/**
 * Brings a refund to the state of its payout, a step at a time: a failed or reversed payout is a failed or reversed
 * refund. Several workers may do so at once: each step is taken once.
 * @returns whether it had moved on.
 */
export async function followPayout(
  deps: RefundDeps,
  due: RefundRow,
  delayMsAfter: (attempts: number) => number,
): Promise<boolean> {
  const now = deps.clock.now();
  const key = [due.merchant_id, due.mode, due.id];
  const leaseId = newId();
  const leaseEndsAt = new Date(now.getTime() + LEASE_MS);
  const leasing = [...key, due.due_at, leaseEndsAt, leaseId, 'FOLLOW', 1, due.first_sent_at, due.sent_at];
  const [leased] = await deps.database.query(leaseRefund, leasing);
  if (leased === undefined) return false;
  let refund = leased;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const [payout] = await deps.database.query(findPayout, [due.merchant_id, due.mode, due.payout_id]);
    if (payout === undefined) throw new Error(`the payout of refund ${due.id} is gone`);
    const to = nextOf(refund.status, TARGETS[payout.status]);
    if (to === undefined) break;
    await take(deps, refund, payout, to);
    const [after] = await deps.database.query(findRefund, key);
    if (after === undefined) throw new Error(`refund ${due.id} is gone`);
    refund = after;
  }
  // The end of a payout makes its refund due, in the movement that ends the payout: this only catches steps in between.
  const isOver = refund.status === 'SUCCESS' || refund.status === 'FAILED' || refund.status === 'CANCELLED';
  const dueAt = isOver ? null : new Date(deps.clock.now().getTime() + delayMsAfter(refund.attempts));
  const { first_sent_at, sent_at } = refund;
  const back = [...key, leaseId, dueAt, 'FOLLOW', first_sent_at, sent_at, null, null, deps.clock.now()];
  await deps.database.query(releaseRefund, back);
  return refund.status !== due.status;
}

async function take(deps: RefundDeps, refund: RefundRow, payout: PayoutRecord, to: RefundStatus): Promise<void> {
  const at = deps.clock.now();
  const isFree = to === 'FAILED' || to === 'CANCELLED';
  const reason = payout.status === 'REVERSED' && to === 'FAILED' ? 'PAYOUT_REVERSED' : isFree ? payout.reason : null;
  const parts: MovementParts = joinParts(
    isFree ? releaseRefundGuards(refund) : {},
    refundStep(refund, { to, reason, at, refusal: refundMovedOn }),
  );
  try {
    await deps.ledger.commit({
      tenant: tenantOf(refund),
      id: refund.id,
      occurredAt: at.toISOString(),
      ...parts,
      answer: { message: 'Success' },
    });
  } catch (error) {
    // Another worker took the same step.
    if (error instanceof AppError && error.code === refundMovedOn(undefined).code) return;
    throw error;
  }
}

/** Makes the refund of a payout due, in the movement in which the payout ends or is released. */
export function createRefundEndHook(): PayoutEndHook {
  return {
    writes({ merchant_id, mode, id, purpose }, _to, at) {
      if (purpose !== 'REFUND') return [];
      return [write(updateRefundsOfPayouts, { merchant_id, mode, payout_id: id, due_at: at })];
    },
    committed: async () => undefined,
  };
}
