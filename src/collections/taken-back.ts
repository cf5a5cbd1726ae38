import { type LimitUsage, readLimitUsage } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { tenantOf } from '../platform/tenant.ts';
import { type InboundPaymentRow, TAKEN_BACK_SCOPE } from './queries.ts';

type Payment = Pick<InboundPaymentRow, 'merchant_id' | 'mode' | 'id' | 'amount_minor'>;

/** @param leftMinor below zero where a dispute took what was refunded before. */
const takenBackTooMuch = (leftMinor: bigint) =>
  new AppError(
    'refused',
    'PAYMENT_TAKEN_BACK',
    `This is more than is left of the payment: ${formatMoney(leftMinor < 0n ? 0n : leftMinor, DEFAULT_CURRENCY)} ` +
      'is neither refunded, nor on its way back, nor disputed.',
  );

/**
 * For a movement that sends some of a payment back by our own decision, such as a refund: it is refused with 422
 * `PAYMENT_TAKEN_BACK` where all together would exceed the payment, however many come at once.
 */
export function takeBack({ id, amount_minor }: Payment, amountMinor: bigint): LimitUsage {
  const limit = { scope: TAKEN_BACK_SCOPE, period: id, limitMinor: amount_minor };
  return { ...limit, amountMinor, refusal: takenBackTooMuch };
}

/** The same where all that is taken back of the payment may not exceed a part of it, such as what was paid too much. */
export function takeBackUpTo(payment: Payment, amountMinor: bigint, upToMinor: bigint): LimitUsage {
  return { ...takeBack(payment, amountMinor), limitMinor: upToMinor };
}

/**
 * The same where somebody else decides, such as a payer's bank that opens a dispute: it is never refused, whatever was
 * refunded before. A refund that is requested afterwards gets what is left, which may be nothing.
 */
export function takenBackByOthers(payment: Pick<Payment, 'id'>, amountMinor: bigint): LimitUsage {
  return { scope: TAKEN_BACK_SCOPE, period: payment.id, amountMinor, limitMinor: null, refusal: takenBackTooMuch };
}

/** For a movement that ends one of them without its effect: as much may be taken back again. */
export function releaseTakenBack(payment: Pick<Payment, 'id'>, amountMinor: bigint): LimitUsage {
  return takenBackByOthers(payment, -amountMinor);
}

/**
 * For a movement by which all of a payment goes elsewhere, such as its return: it is refused where any of it is
 * refunded or disputed. It uses nothing of the limit itself.
 */
export function nothingTakenBack(payment: Payment): LimitUsage[] {
  return [takeBack(payment, payment.amount_minor), releaseTakenBack(payment, payment.amount_minor)];
}

/** What is taken back of a payment now, in minor units. It decides nothing: the guard does, under the lock. */
export function readTakenBack(
  queries: Queries,
  payment: Pick<Payment, 'merchant_id' | 'mode' | 'id'>,
): Promise<bigint> {
  return readLimitUsage(queries, tenantOf(payment), TAKEN_BACK_SCOPE, payment.id);
}
