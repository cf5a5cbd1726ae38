import { toNumber } from '../money/index.ts';
import { lagosDay } from '../platform/clock.ts';
import { linesOfSandbox, type SandboxCreditRow, type SandboxSettlementRow } from '../rails/index.ts';

const naira = (minor: bigint | null) => toNumber(minor ?? 0n);

/** What the simulated bank settled, as it will report it. */
export function settlementView(row: SandboxSettlementRow) {
  return {
    reference: row.id,
    scenario: row.scenario,
    settledOn: lagosDay(row.made_at),
    amount: toNumber(row.lump_minor),
    currency: 'NGN' as const,
    lines: linesOfSandbox(row).map(({ kind, providerTransactionId, grossMinor, feeMinor, netMinor }) => ({
      kind,
      id: providerTransactionId,
      gross: naira(grossMinor),
      fee: naira(feeMinor),
      net: naira(netMinor),
    })),
    madeAt: row.made_at.toISOString(),
  };
}

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
