import { findInboundPayment, type InboundPaymentRow } from '../collections/index.ts';
import { tenantOf } from '../platform/tenant.ts';
import { firstCharacters } from '../platform/text.ts';
import type { RefundCaller, RefundOrder } from '../rails/index.ts';
import type { RefundDeps } from './deps.ts';
import type { RefundRow } from './queries.ts';

/** The text that providers show for a refund without a note of the merchant. */
const NO_NOTE = 'Refund';

/** Our reference of a refund at its provider: every attempt to send it has the same one. */
export const refundReferenceOf = (id: string): string => id.replaceAll('-', '');

/**
 * The caller for refunds of a payment's provider account; undefined where it has none, or the account cannot be opened
 * now.
 */
export async function refundCallerOf(
  { rails }: Pick<RefundDeps, 'rails'>,
  { mode, rail }: Pick<InboundPaymentRow, 'mode' | 'rail'>,
): Promise<RefundCaller | undefined> {
  return (await rails.findRail(mode, rail))?.wallets?.refunds;
}

/** The payment that a refund is of. */
export async function paymentOf(
  { database }: Pick<RefundDeps, 'database'>,
  refund: RefundRow,
): Promise<InboundPaymentRow> {
  const { merchantId, mode } = tenantOf(refund);
  const [payment] = await database.query(findInboundPayment, [merchantId, mode, refund.payment_id]);
  if (payment === undefined) throw new Error(`refund ${refund.id} is of no payment`);
  return payment;
}

/** What the provider is asked for, or asked about: its answers are compared with these facts. */
export function orderOf(refund: RefundRow, payment: InboundPaymentRow, maxNote: number): RefundOrder {
  const { bank_code: bankCode, account_number: accountNumber, account_name: accountName } = refund;
  const isNamed = bankCode !== null && accountNumber !== null && accountName !== null;
  return {
    tenant: tenantOf(refund),
    reference: refundReferenceOf(refund.id),
    providerRefundId: refund.provider_refund_id,
    providerTransactionId: payment.provider_transaction_id,
    providerReference: payment.provider_reference,
    amountMinor: refund.amount_minor,
    currency: refund.currency,
    note: firstCharacters(refund.note ?? NO_NOTE, maxNote),
    account: isNamed ? { bankCode, accountNumber, accountName } : null,
    scenario: refund.scenario ?? undefined,
  };
}
