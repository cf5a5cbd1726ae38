import { decimalText } from '../money/index.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import { type CsvColumns, chosenColumns } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { InboundFilter, InboundPaymentRow } from './queries.ts';
import { type PaymentReadDeps, paymentsFor } from './read-payments.ts';
import { netOf } from './views.ts';

export const PAYMENT_COLUMNS: CsvColumns<InboundPaymentRow> = {
  confirmedAt: ['Confirmed At (UTC)', ({ confirmed_at }) => confirmed_at.toISOString()],
  paidAt: ['Paid At (UTC)', ({ paid_at }) => paid_at?.toISOString() ?? ''],
  amount: ['Amount', ({ amount_minor }) => decimalText(amount_minor)],
  fee: ['Fee', ({ fee_minor }) => decimalText(fee_minor)],
  vat: ['VAT', ({ vat_minor }) => decimalText(vat_minor)],
  net: ['Net', (row) => decimalText(netOf(row))],
  currency: ['Currency', ({ currency }) => currency],
  status: ['Status', ({ status }) => status],
  reason: ['Reason', ({ reason }) => reason ?? ''],
  payer: ['Payer', ({ payer_name }) => payer_name ?? ''],
  payerAccount: ['Payer Account Number', ({ payer_account_number }) => payer_account_number ?? '', 'DIGITS'],
  payerBank: ['Payer Bank', ({ payer_bank_name }) => payer_bank_name ?? ''],
  narration: ['Narration', ({ narration }) => narration ?? ''],
  account: ['To Account Number', ({ account_number }) => account_number, 'DIGITS'],
  customerId: ['Customer ID', ({ customer_id }) => customer_id ?? ''],
  walletId: ['Wallet ID', ({ wallet_id }) => wallet_id],
  sessionId: ['Session ID', ({ session_id }) => session_id ?? '', 'DIGITS'],
  providerReference: ['Provider Reference', ({ provider_reference }) => provider_reference ?? '', 'DIGITS'],
  paymentId: ['Payment ID', ({ id }) => id],
};

/**
 * A merchant's payments in as CSV, in the order of the list, amounts in naira.
 * @param columns names of columns with commas between them; all where undefined
 * @param gone aborted where nobody waits for it any more
 * @throws AppError `VALIDATION_FAILED`, 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export async function exportPayments(
  deps: PaymentReadDeps,
  tenant: Tenant,
  filter: InboundFilter,
  { columns, gone }: { columns?: string | undefined; gone?: AbortSignal } = {},
): Promise<ExportFile> {
  const chosen = chosenColumns(PAYMENT_COLUMNS, columns);
  const list = paymentsFor(deps, tenant, filter);
  return exportList(deps.database, tenant.merchantId, { list, columns: chosen, shownOf: (rows) => rows }, gone);
}
