import { joinParts, type MovementParts } from '../approvals/index.ts';
import { findInboundPayment, isReversedByProvider, releaseTakenBack } from '../collections/index.ts';
import type { LimitUsage, Reservation } from '../ledger/index.ts';
import { DAY_SCOPE } from '../limits/index.ts';
import type { PayoutRecord } from '../payouts/index.ts';
import type { Database } from '../platform/db/database.ts';
import { refundDuplicate } from './errors.ts';
import { findRefundOfPayout } from './payout-queries.ts';
import type { RefundRow } from './queries.ts';

/** Of a reservation: one amount of one payment, by what was refunded of it last. */
const DUPLICATE_SCOPE = 'REFUND';
/** Of a unique key: the merchant's own reference, for ever. */
export const REFUND_REFERENCE_SCOPE = 'REFUND_REFERENCE';

const duplicateValue = ({ payment_id, amount_minor }: Pick<RefundRow, 'payment_id' | 'amount_minor'>) =>
  `${payment_id}/${amount_minor}`;

/** The same amount of the same payment within the window of the payouts' duplicates is a slip, unless it is meant twice. */
export function refundReservation(row: RefundRow, windowMs: number): Reservation {
  return {
    scope: DUPLICATE_SCOPE,
    value: duplicateValue(row),
    subjectId: row.id,
    withinMs: row.allow_duplicate || windowMs === 0 ? null : windowMs,
    seen: refundDuplicate,
  };
}

/** What a refund that ends without its effect gives free: its part of the payment, of the day's limit, and its key. */
export function releaseRefundGuards(row: RefundRow): Required<MovementParts> {
  return joinParts({
    limitUsages: [releaseTakenBack({ id: row.payment_id }, row.amount_minor), ...releaseDay(row)],
    releases: [{ scope: DUPLICATE_SCOPE, value: duplicateValue(row), subjectId: row.id }],
  });
}

/** Its part of the day's limit; none where it was not counted. */
export function releaseDay({ counted_on: period, amount_minor }: RefundRow): LimitUsage[] {
  if (period === null) return [];
  const exceeded = () => {
    throw new Error('a release exceeds nothing');
  };
  return [{ scope: DAY_SCOPE, period, amountMinor: -amount_minor, limitMinor: null, exceeded }];
}

/** Of a payout that refunds a payment: whether the provider says by now that the payment went back by itself. */
export function createHasGoneBack({ database }: { database: Database }) {
  return async ({ merchant_id, mode, id, purpose }: PayoutRecord): Promise<boolean> => {
    if (purpose !== 'REFUND') return false;
    // A merchant may say of any payout that it is a refund.
    const [refund] = await database.query(findRefundOfPayout, [merchant_id, mode, id]);
    if (refund === undefined) return false;
    const [payment] = await database.query(findInboundPayment, [merchant_id, mode, refund.payment_id]);
    return payment !== undefined && isReversedByProvider(database, payment);
  };
}
