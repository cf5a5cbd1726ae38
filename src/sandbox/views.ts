import { toNumber } from '../money/index.ts';
import type { SandboxCreditRow } from '../rails/index.ts';

export function paymentView(rows: readonly SandboxCreditRow[]) {
  return {
    credits: rows.map((row) => ({
      id: row.id,
      sessionId: row.session_id,
      accountNumber: row.account_number,
      amount: toNumber(row.amount_minor),
      currency: row.currency,
      channel: row.channel,
      scenario: row.scenario,
      payer: {
        name: row.payer_name,
        accountNumber: row.payer_account_number,
        bankName: row.payer_bank_name,
      },
      narration: row.narration,
      paidAt: row.paid_at.toISOString(),
    })),
  };
}
