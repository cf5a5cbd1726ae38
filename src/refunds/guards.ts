import {
  findInboundPayment,
  type InboundPaymentRow,
  isReversedByProvider,
  releaseTakenBack,
} from '../collections/index.ts';
import {
  joinParts,
  type LimitUsage,
  type LockedCheck,
  lockedCheck,
  type MovementParts,
  type Reservation,
} from '../ledger/index.ts';
import { DAY_SCOPE } from '../limits/index.ts';
import type { PayoutRecord } from '../payouts/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { columnArrays } from '../platform/db/statement.ts';
import type { RefundDeps } from './deps.ts';
import { paymentNotRefundable, refundDuplicate, refundNotPossible } from './errors.ts';
import { findRefundOfPayout, findUncertainPayments } from './payout-queries.ts';
import type { RefundRow } from './queries.ts';

/** Scope of a reservation: one amount of one payment, held by the last refund of that amount. */
const DUPLICATE_SCOPE = 'REFUND';
/** Scope of a unique key: the merchant's own reference, for ever. */
export const REFUND_REFERENCE_SCOPE = 'REFUND_REFERENCE';

const duplicateValue = ({ payment_id, amount_minor }: Pick<RefundRow, 'payment_id' | 'amount_minor'>) =>
  `${payment_id}/${amount_minor}`;

/**
 * The same amount of the same payment, within the window for duplicate payouts, is a mistake unless the duplicate is
 * intended.
 */
export function refundReservation(row: RefundRow, windowMs: number): Reservation {
  return {
    scope: DUPLICATE_SCOPE,
    value: duplicateValue(row),
    subjectId: row.id,
    withinMs: row.allow_duplicate || windowMs === 0 ? null : windowMs,
    refusal: refundDuplicate,
  };
}

/**
 * What a refund that ends without its effect releases: its part of the payment and of the day's limit, and its
 * reservation.
 */
export function releaseRefundGuards(row: RefundRow): Required<MovementParts> {
  return joinParts({
    limitUsages: [releaseTakenBack({ id: row.payment_id }, row.amount_minor), ...releaseDay(row)],
    releases: [{ scope: DUPLICATE_SCOPE, value: duplicateValue(row), subjectId: row.id }],
  });
}

/** Its part of the day's limit; none where it was not counted. */
export function releaseDay({ counted_on: period, amount_minor }: RefundRow): LimitUsage[] {
  if (period === null) return [];
  const refusal = () => {
    throw new Error('a release exceeds nothing');
  };
  return [{ scope: DAY_SCOPE, period, amountMinor: -amount_minor, limitMinor: null, refusal }];
}

type OfPayment = Pick<RefundRow, 'merchant_id' | 'mode' | 'payment_id'>;

/**
 * Requires that nothing keeps a refund of the payment from leaving: that the payment did not go back by itself, is not
 * frozen, and that no failed refund of it is before the operator, which its payer may have got.
 * @throws AppError 409 `PAYMENT_NOT_REFUNDABLE`; 422 `PAYOUT_NOT_POSSIBLE`
 */
export async function requireNothingAgainst(
  { database, compliance }: Pick<RefundDeps, 'database' | 'compliance'>,
  payment: InboundPaymentRow,
): Promise<void> {
  if (await isReversedByProvider(database, payment)) throw paymentNotRefundable('REVERSED');
  if (await compliance.isPaymentFrozen(payment)) throw refundNotPossible();
  const { merchant_id, mode, id: payment_id } = payment;
  if (await isUncertain(database, { merchant_id, mode, payment_id })) throw paymentNotRefundable('UNCERTAIN');
}

async function isUncertain(queries: Queries, { merchant_id, mode, payment_id }: OfPayment): Promise<boolean> {
  const values = columnArrays(findUncertainPayments, [{ merchant_id, mode, payment_id }]);
  return (await queries.query(findUncertainPayments, values)).length > 0;
}

/**
 * The same check for the movement that makes a refund of it, or releases one: a bank or provider may report between the
 * read and the commit.
 */
export function staysCertain({ merchant_id, mode, payment_id }: OfPayment): LockedCheck {
  const rows = [{ merchant_id, mode, payment_id }];
  const refusal = (found: readonly unknown[]) => (found.length > 0 ? paymentNotRefundable('UNCERTAIN') : undefined);
  return lockedCheck({ question: findUncertainPayments, rows, about: [], refusal });
}

/** Whether a payout refunds a payment: a merchant may give any payout that purpose. */
export function createIsRefund({ database }: { database: Database }) {
  return async ({ merchant_id, mode, id, purpose }: PayoutRecord): Promise<boolean> =>
    purpose === 'REFUND' && (await database.query(findRefundOfPayout, [merchant_id, mode, id])).length > 0;
}

/** For a payout that waits for approval: the checks on the payment that it refunds, where it refunds one. */
export function createRefundChecks({ database }: { database: Database }) {
  return async ({ merchant_id, mode, id, purpose }: PayoutRecord): Promise<readonly LockedCheck[]> => {
    if (purpose !== 'REFUND') return [];
    const [refund] = await database.query(findRefundOfPayout, [merchant_id, mode, id]);
    return refund === undefined ? [] : [staysCertain({ merchant_id, mode, payment_id: refund.payment_id })];
  };
}

/** Why a refund is not sent whose payer may already have the money: it fails with this reason, and nothing left. */
export type WhyWithheld = 'PAYMENT_REVERSED' | 'PAYMENT_UNCERTAIN';

/** Checked just before a refund leaves that no provider was asked for so far. Undefined where nothing is against it. */
export async function whyWithheld(database: Database, payment: InboundPaymentRow): Promise<WhyWithheld | undefined> {
  if (await isReversedByProvider(database, payment)) return 'PAYMENT_REVERSED';
  const { merchant_id, mode, id: payment_id } = payment;
  return (await isUncertain(database, { merchant_id, mode, payment_id })) ? 'PAYMENT_UNCERTAIN' : undefined;
}

/** The same for a payout; undefined for one that refunds no payment. */
export function createWhyNotRefunded({ database }: { database: Database }) {
  return async ({ merchant_id, mode, id, purpose }: PayoutRecord): Promise<WhyWithheld | undefined> => {
    if (purpose !== 'REFUND') return undefined;
    // A merchant may give any payout the purpose of a refund.
    const [refund] = await database.query(findRefundOfPayout, [merchant_id, mode, id]);
    if (refund === undefined) return undefined;
    const [payment] = await database.query(findInboundPayment, [merchant_id, mode, refund.payment_id]);
    return payment && whyWithheld(database, payment);
  };
}
