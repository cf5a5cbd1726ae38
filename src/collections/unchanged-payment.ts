import { type LockedCheck, lockedCheck, type Movement } from '../ledger/index.ts';
import { AppError } from '../platform/errors.ts';
import { paymentChanged } from './errors.ts';
import { findChangedPayments, type InboundPaymentRow } from './queries.ts';

/**
 * The part of a movement that ends, settles or returns a payment: it is refused where the payment has changed since it
 * was decided about, and others that change it wait for it. Two of them at once, such as its settlement and its return,
 * never decide by the same state.
 */
export function unchangedPayment(
  { merchant_id, mode, id, status }: InboundPaymentRow,
  { isSettled }: { isSettled: boolean },
): { checks: readonly LockedCheck[]; changes: readonly string[] } {
  const name = `inbound_payment/${id}`;
  const check = lockedCheck({
    question: findChangedPayments,
    rows: [{ merchant_id, mode, payment_id: id, status, is_settled: isSettled }],
    about: [name],
    refusal: (found) => (found.length > 0 ? paymentChanged() : undefined),
  });
  return { checks: [check], changes: [name] };
}

/** Often enough for all who may decide about one payment at once. */
const MAX_ATTEMPTS = 20;

/** The payment has changed, or a wallet that is to hold a part of it has less by then. */
const OVERTAKEN: readonly string[] = [paymentChanged().code, 'INSUFFICIENT_FUNDS'];

/**
 * Decides by what a payment is and commits that; where the payment or a balance has changed meanwhile, decides again.
 * @param decide gets whether it is the last attempt: then it relies on no balance
 * @param overtaken the codes of refusals that say that something has changed
 */
export async function commitForPayment(
  commit: (movement: Movement) => Promise<unknown>,
  decide: (isLast: boolean) => Promise<Movement | undefined>,
  overtaken: readonly string[] = OVERTAKEN,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const movement = await decide(attempt >= MAX_ATTEMPTS);
    if (movement === undefined) return false;
    try {
      await commit(movement);
      return true;
    } catch (error) {
      const isOvertaken = error instanceof AppError && overtaken.includes(error.code);
      if (!isOvertaken || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
