import { type LockedCheck, lockedCheck, type Movement } from '../ledger/index.ts';
import { AppError } from '../platform/errors.ts';
import { paymentChanged } from './errors.ts';
import { findChangedPayments, type InboundPaymentRow } from './queries.ts';

/**
 * What a movement says that ends, settles or returns a payment: it holds only while the payment is what it was decided by,
 * and others that do wait for it. Two of them at once, such as its settlement and its return, never go by the same state.
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

/** Often enough for everybody who may decide about one payment at once. */
const MAX_ATTEMPTS = 20;

/** Decides by what a payment is and commits that; where it changed meanwhile, decides anew. */
export async function commitForPayment(
  commit: (movement: Movement) => Promise<unknown>,
  decide: () => Promise<Movement | undefined>,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const movement = await decide();
    if (movement === undefined) return false;
    try {
      await commit(movement);
      return true;
    } catch (error) {
      const isOvertaken = error instanceof AppError && error.code === paymentChanged().code;
      if (!isOvertaken || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
