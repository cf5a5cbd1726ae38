import {
  type ApprovalRequest,
  type ApprovalRow,
  type ApprovalSubject,
  approvalMovedOn,
  type Cleared,
  contentOf,
  type EndedHow,
  findApprovalOf,
  isSubjectAltered,
  requireCleared,
  requireUnaltered,
  shownLine,
} from '../approvals/index.ts';
import { type InboundPaymentRow, isReversedByProvider } from '../collections/index.ts';
import { joinParts, type MovementParts } from '../ledger/index.ts';
import { dayLimitUsage } from '../limits/index.ts';
import { formatMoney } from '../money/index.ts';
import { write } from '../platform/db/statement.ts';
import { tenantOf } from '../platform/tenant.ts';
import type { RefundDeps } from './deps.ts';
import { paymentNotRefundable } from './errors.ts';
import { releaseDay, releaseRefundGuards, staysCertain } from './guards.ts';
import { findRefund, type RefundRow, updateRefundsMoved, updateRefundsReleased } from './queries.ts';
import { paymentOf } from './refund-order.ts';
import { refundStep, resolveHold } from './refund-step.ts';

/** The columns that the service may change. All others are what people approve, column by column. */
const FREE: ReadonlySet<string> = new Set([
  'status',
  'reason',
  'provider_refund_id',
  // The merchant gives it after the approval, and it is compared with the payer's name.
  'bank_code',
  'account_number',
  'account_name',
  'counted_on',
  'approval_id',
  'rules_version',
  'next_step',
  'due_at',
  'attempts',
  'first_sent_at',
  'sent_at',
  'operator_reason',
  'operator_since',
  'updated_at',
]);

/**
 * What people are asked to approve, made of the refund's record alone: it is the same again as long as nobody alters
 * the record.
 */
export function askForRefund(refund: RefundRow, payment: InboundPaymentRow): ApprovalRequest {
  const amount = formatMoney(refund.amount_minor, refund.currency);
  const payer = payment.payer_name ?? 'the payer';
  return {
    subjectId: refund.id,
    title: `${amount} back to ${payer}`,
    amountMinor: refund.amount_minor,
    chargesMinor: null,
    shown: [
      shownLine('amount', amount),
      shownLine('payer', payer),
      shownLine('payment', formatMoney(payment.amount_minor, payment.currency), {
        subjectType: 'PAYMENT',
        subjectId: payment.id,
      }),
      shownLine('way', refund.way === 'PROVIDER' ? 'By the provider of the payment' : 'As a payout'),
      ...(refund.note === null ? [] : [shownLine('note', refund.note)]),
      ...(refund.client_reference === null ? [] : [shownLine('reference', refund.client_reference)]),
    ],
    payload: { content: contentOf(refund, FREE) },
    at: refund.created_at,
  };
}

/** The only way for a new refund to be sent: with nothing left to approve, it is due at once. */
export function queuedRefund(refund: RefundRow, cleared: Cleared): RefundRow {
  const { approvalId: approval_id, rulesVersion: rules_version } = requireCleared(cleared);
  return { ...refund, status: 'QUEUED', due_at: refund.created_at, approval_id, rules_version };
}

/**
 * A refund by its provider that waits for approval. Approved, it goes to the worker at once; otherwise all that it
 * holds is released.
 */
export function refundSubject(deps: RefundDeps): ApprovalSubject {
  return {
    async approved(approval, cleared, at) {
      requireCleared(cleared);
      const refund = await requireWaiting(deps, approval);
      const { merchant_id, mode, id } = refund;
      if (await isReversedByProvider(deps.database, await paymentOf(deps, refund)))
        throw paymentNotRefundable('REVERSED');
      // A refund that is approved on another day counts against that day's limit.
      const { countedOn, limitUsages } = await dayLimitUsage(deps, tenantOf(refund), refund.amount_minor, at);
      const isSameDay = countedOn === refund.counted_on;
      return joinParts(
        { checks: [staysCertain(refund)], limitUsages: isSameDay ? [] : [...releaseDay(refund), ...limitUsages] },
        refundStep(refund, { to: 'QUEUED', reason: null, at, refusal: approvalMovedOn }),
        { writes: [write(updateRefundsReleased, { merchant_id, mode, id, due_at: at, counted_on: countedOn })] },
      );
    },
    ended: async (approval, how, at) => cancelled(await requireWaiting(deps, approval), how, at),
    service: async () => 'COLLECTION',
    committed: async () => deps.wake(),
  };
}

async function requireWaiting(deps: RefundDeps, approval: ApprovalRow): Promise<RefundRow> {
  const [refund] = await deps.database.query(findRefund, [approval.merchant_id, approval.mode, approval.subject_id]);
  if (refund === undefined) throw new Error(`approval ${approval.id} is of no refund`);
  if (refund.status !== 'PENDING_APPROVAL') throw approvalMovedOn();
  requireUnaltered(deps, approval, { record: refund, asked: askForRefund(refund, await paymentOf(deps, refund)) });
  return refund;
}

function cancelled(refund: RefundRow, how: EndedHow, at: Date): MovementParts {
  const { merchant_id, mode, id } = refund;
  const moved = { merchant_id, mode, id, due_at: null, provider_refund_id: null, is_settled: true };
  return joinParts(
    releaseRefundGuards(refund),
    refundStep(refund, { to: 'CANCELLED', reason: `APPROVAL_${how}`, at, refusal: approvalMovedOn }),
    { transfers: resolveHold('VOID', refund), writes: [write(updateRefundsMoved, { ...moved, next_step: 'SEND' })] },
  );
}

/** Whether a refund that is about to leave is what was approved, where it had to be. */
export async function isAsApproved(deps: RefundDeps, refund: RefundRow): Promise<boolean> {
  const approval = await findApprovalOf(deps.database, tenantOf(refund), refund.id);
  if (approval === undefined) return refund.approval_id === null;
  try {
    requireUnaltered(deps, approval, { record: refund, asked: askForRefund(refund, await paymentOf(deps, refund)) });
    return approval.status === 'APPROVED';
  } catch (error) {
    if (isSubjectAltered(error)) return false;
    throw error;
  }
}
