import type { InboundPaymentRow, PaymentRefunds } from '../collections/index.ts';
import { isFinal } from '../ledger/index.ts';
import { decimalText, toNumber } from '../money/index.ts';
import type { CsvColumns } from '../platform/spreadsheet/write-csv.ts';
import type { ReportedRefund } from '../rails/index.ts';
import { isConclusive, type RefundAttemptRow, type RefundRow } from './queries.ts';
import { paymentToRefundStates, type RefundRuleRow, type ToRefundRow } from './rule-queries.ts';

/** A refund on the wire, in naira. */
export function refundView(row: RefundRow) {
  return {
    refundId: row.id,
    paymentId: row.payment_id,
    reference: row.client_reference,
    status: row.status,
    conclusive: isConclusive(row.status),
    reason: row.reason,
    way: row.way,
    cause: row.cause,
    amount: toNumber(row.amount_minor),
    currency: row.currency,
    note: row.note,
    walletId: row.wallet_id,
    payoutTransactionId: row.payout_id,
    account:
      row.bank_code === null || row.account_number === null || row.account_name === null
        ? null
        : { bankCode: row.bank_code, accountNumber: row.account_number, accountName: row.account_name },
    providerReference: row.provider_refund_id,
    approvalId: row.approval_id,
    mode: row.mode,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** What of a payment has gone back, is on its way, and may still be refunded, in naira. */
export function paymentRefundsView(
  payment: Pick<InboundPaymentRow, 'amount_minor' | 'status'>,
  sums: { refunded_minor: bigint; pending_minor: bigint },
  takenBackMinor: bigint,
): PaymentRefunds {
  const left = payment.amount_minor - takenBackMinor;
  return {
    refundedAmount: toNumber(sums.refunded_minor),
    pendingAmount: toNumber(sums.pending_minor),
    refundableAmount: toNumber(payment.status === 'CREDITED' && left > 0n ? left : 0n),
  };
}

/** An answer of the provider, or a decision of two people. */
export function refundAttemptView(row: RefundAttemptRow) {
  return {
    kind: row.kind,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    outcome: row.outcome,
    code: row.code,
    reason: row.reason,
    message: row.message,
  };
}

/** As the evidence keeps it: the facts that the provider gave; null for none. */
export function reportedText(reported: ReportedRefund): string | null {
  const given = Object.entries(reported).filter(([, fact]) => fact !== null);
  if (given.length === 0) return null;
  return JSON.stringify(Object.fromEntries(given.map(([name, fact]) => [name, String(fact)])));
}

export const REFUND_COLUMNS: CsvColumns<RefundRow> = {
  createdAt: ['Created At (UTC)', ({ created_at }) => created_at.toISOString()],
  updatedAt: ['Updated At (UTC)', ({ updated_at }) => updated_at.toISOString()],
  amount: ['Amount', ({ amount_minor }) => decimalText(amount_minor)],
  currency: ['Currency', ({ currency }) => currency],
  status: ['Status', ({ status }) => status],
  reason: ['Reason', ({ reason }) => reason ?? ''],
  way: ['Way', ({ way }) => way],
  cause: ['Cause', ({ cause }) => cause],
  note: ['Note', ({ note }) => note ?? ''],
  reference: ['Reference', ({ client_reference }) => client_reference ?? '', 'DIGITS'],
  paymentId: ['Payment ID', ({ payment_id }) => payment_id],
  walletId: ['Wallet ID', ({ wallet_id }) => wallet_id],
  payoutTransactionId: ['Payout Transaction ID', ({ payout_id }) => payout_id ?? ''],
  accountNumber: ['Account Number', ({ account_number }) => account_number ?? '', 'DIGITS'],
  accountName: ['Account Name', ({ account_name }) => account_name ?? ''],
  providerReference: ['Provider Reference', ({ provider_refund_id }) => provider_refund_id ?? '', 'DIGITS'],
  refundId: ['Refund ID', ({ id }) => id],
};

/** The rule about what goes back of payments by itself. Without a version nothing does. */
export function refundRuleView(row: RefundRuleRow | undefined) {
  return {
    version: row?.version ?? 0,
    late: row?.late ?? ('OFF' as const),
    excess: row?.excess ?? ('OFF' as const),
    changedBy: row?.changed_by ?? null,
    changedAt: row?.changed_at.toISOString() ?? null,
  };
}

/** A payment that the rule is for, in naira. */
export function paymentToRefundView(row: ToRefundRow) {
  return {
    paymentId: row.id,
    cause: row.cause,
    notOwed: toNumber(row.due_minor),
    currency: 'NGN' as const,
    status: row.status,
    conclusive: isFinal(paymentToRefundStates, row.status),
    reason: row.reason,
    refundId: row.refund_id,
    tryAgainAt: row.due_at?.toISOString() ?? null,
    mode: row.mode,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
