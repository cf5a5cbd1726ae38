import { toNumber } from '../money/index.ts';
import type { InboundPaymentRow } from './queries.ts';

/** A payment that came in, on the wire: gross, in naira. */
export function inboundPaymentView(row: InboundPaymentRow) {
  return {
    paymentId: row.id,
    status: row.status,
    reason: row.reason,
    walletId: row.wallet_id,
    creditedWalletId: row.status === 'CREDITED' ? (row.attributed_wallet_id ?? row.wallet_id) : null,
    amount: toNumber(row.amount_minor),
    currency: row.currency,
    accountNumber: row.account_number,
    payer: { name: row.payer_name, accountNumber: row.payer_account_number, bankName: row.payer_bank_name },
    narration: row.narration,
    sessionId: row.session_id,
    providerReference: row.provider_reference,
    mode: row.mode,
    paidAt: row.paid_at?.toISOString() ?? null,
    confirmedAt: row.confirmed_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
