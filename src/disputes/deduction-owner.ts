import type { DeductionOwner, FindDeductionOwner } from '../collections/index.ts';
import { tenantOf } from '../platform/tenant.ts';
import type { DisputeDeps } from './deps.ts';
import { findNotedDispute } from './directory-queries.ts';
import { type DisputeRow, findDispute, listDisputesOfPayment } from './queries.ts';

/** What a line says of an open dispute: it is compared again when the dispute has ended. */
export const DISPUTE_UNDER_WAY = 'The dispute has not ended yet.';

/**
 * Finds the dispute that a provider deducted from a settlement: by its own number, or by its payment. Of several
 * disputes of one payment, the one with this amount comes first.
 */
export function createDisputeDeductions({
  database,
  credits,
}: Pick<DisputeDeps, 'database' | 'credits'>): FindDeductionOwner {
  return async ({ rail, mode, kind, providerTransactionId, sessionId, reference, amountMinor, except }) => {
    if (kind === 'REFUND') return undefined;
    for (const id of [providerTransactionId, reference]) {
      if (id === null) continue;
      const [noted] = await database.query(findNotedDispute, [rail, id]);
      if (noted?.status !== 'NOTED' || noted.mode !== mode) continue;
      const [row] = await database.query(findDispute, [noted.merchant_id, mode, noted.dispute_id]);
      if (row !== undefined) return ownerOf(row);
    }
    if (providerTransactionId === null) return undefined;
    const key = { rail, provider_transaction_id: providerTransactionId, session_id: sessionId };
    const credit = await credits.findNoted(key);
    if (credit?.merchant_id == null || credit.mode !== mode) return undefined;
    const disputes = await database.query(listDisputesOfPayment, [credit.merchant_id, mode, credit.payment_id]);
    const free = disputes.filter(({ id }) => !except.includes(id));
    const meant = free.find((row) => tookOf(row) === amountMinor) ?? free[0];
    return meant && ownerOf(meant);
  };
}

const tookOf = ({ taken_minor, loss_minor }: DisputeRow) => taken_minor + loss_minor;

function ownerOf(row: DisputeRow): DeductionOwner {
  const owner = {
    tenant: tenantOf(row),
    subjectType: 'DISPUTE' as const,
    subjectId: row.id,
    amountMinor: tookOf(row),
    receivableId: row.receivable_id,
  };
  if (row.status === 'WON') return { ...owner, amountMinor: row.disputed_minor, differs: 'The dispute was won.' };
  if (row.ended_at === null) return { ...owner, amountMinor: row.disputed_minor, differs: DISPUTE_UNDER_WAY };
  return owner;
}
