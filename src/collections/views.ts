import { DEFAULT_CURRENCY, toNumber } from '../money/index.ts';
import type { InboundPaymentRow } from './queries.ts';

/** What the wallet has of a payment, minor units: the amount without fee and VAT. */
export function netOf({ amount_minor, fee_minor, vat_minor }: InboundPaymentRow): bigint {
  return amount_minor - fee_minor - vat_minor;
}

/** What waits for its settlement, on the wire, in naira. */
export function pendingView(sum: { payments: number; amount_minor: bigint } | undefined) {
  return {
    amount: toNumber(sum?.amount_minor ?? 0n),
    payments: sum?.payments ?? 0,
    currency: DEFAULT_CURRENCY,
  };
}

/** A payment that came in, on the wire, in naira. */
export function inboundPaymentView(row: InboundPaymentRow) {
  return {
    paymentId: row.id,
    status: row.status,
    reason: row.reason,
    walletId: row.wallet_id,
    creditedWalletId: row.status === 'CREDITED' ? (row.attributed_wallet_id ?? row.wallet_id) : null,
    amount: toNumber(row.amount_minor),
    fee: toNumber(row.fee_minor),
    vat: toNumber(row.vat_minor),
    net: toNumber(netOf(row)),
    currency: row.currency,
    accountNumber: row.account_number,
    payer: { name: row.payer_name, accountNumber: row.payer_account_number, bankName: row.payer_bank_name },
    customerId: row.customer_id,
    narration: row.narration,
    sessionId: row.session_id,
    providerReference: row.provider_reference,
    mode: row.mode,
    paidAt: row.paid_at?.toISOString() ?? null,
    confirmedAt: row.confirmed_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
