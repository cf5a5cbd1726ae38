import type { MovementParts, ResolutionDraft } from '../ledger/index.ts';
import type { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import { type RefundRow, type RefundStatus, refundStates } from './queries.ts';
import { refundView } from './views.ts';

const EVENTS: Record<RefundStatus, string> = {
  PENDING_APPROVAL: 'refund.pending_approval',
  QUEUED: 'refund.queued',
  PROCESSING: 'refund.processing',
  NEEDS_DETAILS: 'refund.needs_details',
  SUCCESS: 'refund.succeeded',
  FAILED: 'refund.failed',
  CANCELLED: 'refund.cancelled',
};

interface Step {
  to: RefundStatus;
  reason: string | null;
  at: Date;
  refusal: (actual: string | undefined) => AppError;
  /** Other columns that change, and are part of the event. */
  fields?: Partial<Pick<RefundRow, 'provider_refund_id' | 'bank_code' | 'account_number' | 'account_name'>>;
}

/** A change of state with its event: the refund as it is afterwards. */
export function refundStep(refund: RefundRow, { to, reason, at, refusal, fields }: Step): MovementParts {
  const after: RefundRow = { ...refund, ...fields, status: to, reason, updated_at: at };
  return {
    transitions: [{ machine: refundStates, id: refund.id, from: [refund.status], to, reason, refusal }],
    events: [{ id: newId(), type: EVENTS[to], subjectId: refund.id, data: jsonOf(refundView(after)) }],
  };
}

/** Ends the hold of a refund by its provider; a payout has holds of its own. */
export function resolveHold(kind: 'POST' | 'VOID', { id, hold_id }: RefundRow): ResolutionDraft[] {
  if (hold_id === null) return [];
  return [{ kind, id: newId(), transactionId: id, pendingId: hold_id, pendingTransactionId: id }];
}
