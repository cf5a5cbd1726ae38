import { findInboundPayment, type InboundPaymentRow } from '../collections/index.ts';
import { formatMoney } from '../money/index.ts';
import { findPayout } from '../payouts/index.ts';
import { lagosTimeText } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Receipt, ReceiptLine } from '../receipts/index.ts';
import { referenceOf } from '../transactions/index.ts';
import { requireWallet, type WalletDirectory } from '../wallets/index.ts';
import { refundNotFound, refundReceiptNotMade } from './errors.ts';
import { findRefund, listRefundAttempts, type RefundRow } from './queries.ts';

const HEADING = 'Refund';
const FOOTER = 'The money went back to the payer at the time above. Their bank may take a working day to show it.';

const momentText = (at: Date): string => `${lagosTimeText(at)} (UTC+01:00)`;

/**
 * The receipt of a refund, for the payer: what went back of which payment, and how it is found.
 * @throws AppError 404 `REFUND_NOT_FOUND`; 409 `RECEIPT_NOT_PAID` while no outcome says that it was made
 */
export async function readRefundReceipt(
  { database, wallets }: { database: Pick<Database, 'query'>; wallets: WalletDirectory },
  tenant: Tenant,
  refundId: string,
): Promise<Receipt> {
  const key = [tenant.merchantId, tenant.mode];
  const [refund] = await database.query(findRefund, [...key, refundId]);
  if (refund === undefined) throw refundNotFound();
  if (refund.status !== 'SUCCESS') throw refundReceiptNotMade();
  const [[payment], attempts, [payout], { accountName }] = await Promise.all([
    database.query(findInboundPayment, [...key, refund.payment_id]),
    database.query(listRefundAttempts, [...key, refundId]),
    refund.payout_id === null ? [] : database.query(findPayout, [...key, refund.payout_id]),
    requireWallet(wallets, tenant, refund.wallet_id),
  ]);
  if (payment === undefined) throw new Error(`the payment of refund ${refundId} is gone`);
  const made = attempts.findLast(({ outcome }) => outcome === 'succeeded')?.ended_at;
  const paidAt = payout?.paid_at ?? made ?? refund.updated_at;
  const ours = refund.id.replaceAll('-', '');
  const lines: [string, string | null][] = [
    ['Refunded to', payeeOf(refund, payment)],
    ...accountOf(refund, payment),
    ['Paid by', accountName],
    ['For', refund.note],
    ['Of the payment', `${formatMoney(payment.amount_minor, payment.currency)} of ${momentText(payment.confirmed_at)}`],
    ['Session id of that', payment.session_id],
    ['Refunded at', momentText(paidAt)],
    ['Reference', refund.client_reference],
    ['Refund', ours],
    ['Provider’s number', refund.provider_refund_id],
    ['Payout', payout === undefined ? null : referenceOf(payout.id)],
    ['Session id', payout?.session_id ?? null],
  ];
  return {
    amount: formatMoney(refund.amount_minor, refund.currency),
    payee: payeeOf(refund, payment),
    paidAt,
    reference: refund.client_reference ?? ours,
    isTest: tenant.mode === 'SANDBOX',
    lines: lines.flatMap(([label, value]): ReceiptLine[] => (value === null || value === '' ? [] : [{ label, value }])),
    heading: HEADING,
    footer: FOOTER,
  };
}

const payeeOf = ({ account_name: name }: RefundRow, { payer_name: payer }: InboundPaymentRow): string =>
  name ?? payer ?? 'Unknown payer';

/** The account that it goes to, as far as it is known: a card has none, and a provider finds the payer's itself. */
function accountOf(refund: RefundRow, payment: InboundPaymentRow): [string, string | null][] {
  if (refund.account_number !== null) return [['Account number', refund.account_number]];
  return [
    ['Bank', payment.payer_bank_name],
    ['Account number', payment.payer_account_number],
  ];
}
