import type { DeductionOwner, FindDeductionOwner } from '../collections/index.ts';
import type { Database } from '../platform/db/database.ts';
import { tenantOf } from '../platform/tenant.ts';
import { listRefundsOfDeduction, type RefundRow, refundStates } from './queries.ts';

/**
 * The refund that a provider deducted from a settlement: found by its own id or our reference, or, where the line names
 * the payment, one of the payment's refunds of that amount that no other line belongs to.
 */
export function createRefundDeductions({ database }: { database: Database }): FindDeductionOwner {
  return async ({ rail, mode, kind, providerTransactionId, reference, amountMinor, except }) => {
    if (kind === 'DISPUTE') return undefined;
    const keys = [providerTransactionId, reference].filter((key) => key !== null);
    if (keys.length === 0) return undefined;
    const found = await database.query(listRefundsOfDeduction, [rail, keys, mode]);
    const named = found.find(({ is_named }) => is_named);
    if (named !== undefined) return ownerOf(named);
    const open = found.filter(({ id }) => !except.includes(id));
    // A refund that was made comes before one that was not.
    const same = open.filter(({ amount_minor }) => amount_minor === amountMinor);
    const meant = same.find(({ status }) => status === 'SUCCESS') ?? same[0];
    return meant && ownerOf(meant);
  };
}

const NOT_MADE: Partial<Record<RefundRow['status'], string>> = {
  PENDING_APPROVAL: 'The refund waits for approval: the provider was not asked for it.',
  QUEUED: 'The refund was not sent yet: the provider was not asked for it.',
  PROCESSING: 'The provider has not said yet that the refund was made.',
  NEEDS_DETAILS: 'The refund waits for the payer’s account.',
  FAILED: 'The refund failed: the provider should not have taken it.',
  CANCELLED: 'The refund was not approved: the provider was not asked for it.',
};

/** What a line says of a refund that has not ended: it is compared again when it has. */
export const REFUND_UNDER_WAY: readonly string[] = Object.entries(NOT_MADE)
  .filter(([status]) => refundStates.transitions[status as RefundRow['status']].length > 0)
  .map(([, sentence]) => sentence);

function ownerOf(refund: RefundRow): DeductionOwner {
  const differs = NOT_MADE[refund.status];
  return {
    tenant: tenantOf(refund),
    subjectType: 'REFUND',
    subjectId: refund.id,
    amountMinor: refund.amount_minor,
    receivableId: refund.receivable_id,
    ...(differs !== undefined && { differs }),
  };
}
