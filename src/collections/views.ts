import { DEFAULT_CURRENCY, decimalText, toNumber, toNumberIfExact } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import { type ListRequest, sinceOf } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { addUpList, readListOf } from '../platform/lists/totals.ts';
import { type CsvColumns, chosenColumns } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import { readReserveOf } from '../reserves/index.ts';
import { listTotalsView } from '../transactions/index.ts';
import { inboundPaymentNotFound } from './errors.ts';
import {
  findInboundPayment,
  type InboundFilter,
  type InboundPaymentRow,
  inboundList,
  isConclusive,
  listInboundEvidence,
  looksThrough,
  sumPendingPayments,
} from './queries.ts';

/** What the merchant has of a payment, in minor units: the amount without fee and VAT; a part may be in reserve. */
function netOf({ amount_minor, fee_minor, vat_minor }: InboundPaymentRow): bigint {
  return amount_minor - fee_minor - vat_minor;
}

/** What waits for its settlement, on the wire, in naira. */
function pendingView(sum: { payments: number; amount_minor: bigint } | undefined) {
  return {
    amount: toNumberIfExact(sum?.amount_minor ?? 0n),
    payments: sum?.payments ?? 0,
    currency: DEFAULT_CURRENCY,
  };
}

/** A payment in, on the wire, in naira. */
export function inboundPaymentView(row: InboundPaymentRow) {
  return {
    paymentId: row.id,
    status: row.status,
    conclusive: isConclusive(row.status),
    reason: row.reason,
    walletId: row.wallet_id,
    creditedWalletId: row.status === 'CREDITED' ? (row.attributed_wallet_id ?? row.wallet_id) : null,
    amount: toNumber(row.amount_minor),
    fee: toNumber(row.fee_minor),
    vat: toNumber(row.vat_minor),
    net: toNumber(netOf(row)),
    reserve: toNumber(row.reserve_minor),
    channel: row.channel,
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

export interface PaymentReadDeps {
  database: Database;
  clock: Clock;
}

/** How far back a search goes that no index answers and that names no beginning. */
const SEARCH_MS = 90 * 24 * 60 * 60 * 1000;

/** The list of a filter, with its beginning in time. */
function paymentsFor(
  { clock }: Pick<PaymentReadDeps, 'clock'>,
  tenant: Tenant,
  filter: InboundFilter,
  request?: ListRequest,
) {
  const { from, to } = filter;
  const isBegun = from !== undefined || !looksThrough(filter);
  const beginning = isBegun ? undefined : new Date((to ?? clock.now()).getTime() - SEARCH_MS);
  return inboundList(tenant, filter, (request && sinceOf(request)) ?? beginning);
}

/**
 * A merchant's payments in, newest first unless the filter says otherwise.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readInboundPayments(
  deps: PaymentReadDeps,
  tenant: Tenant,
  filter: InboundFilter,
  request: ListRequest,
) {
  const list = paymentsFor(deps, tenant, filter, request);
  const asked = { list, isLong: looksThrough(filter) };
  const found = await readListOf(deps.database, tenant.merchantId, asked, request);
  return listView(found, inboundPaymentView);
}

/**
 * The sums of the payments of a filter by status, in naira; only their number where they are more than 100,000.
 * @throws AppError 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function addUpInboundPayments(
  deps: PaymentReadDeps,
  tenant: Tenant,
  filter: InboundFilter,
  gone: AbortSignal | undefined,
) {
  const list = paymentsFor(deps, tenant, filter);
  const searcher = { owner: tenant.merchantId, gone, isIndexed: !looksThrough(filter) };
  return listTotalsView(await addUpList(deps.database, searcher, list, ['fee_minor', 'vat_minor']));
}

/** What came in and is not available before the provider has settled it, in naira. */
export async function readPending(database: Database, { merchantId, mode }: Tenant) {
  const [sum] = await database.query(sumPendingPayments, [merchantId, mode]);
  return pendingView(sum);
}

/** What of a payment has gone back, is on its way and may still be refunded, on the wire, in naira. */
export interface PaymentRefunds {
  refundedAmount: number;
  pendingAmount: number;
  refundableAmount: number;
}

/** Reads the same; given by the modules above. */
export type ReadRefundsOfPayment = (queries: Queries, payment: InboundPaymentRow) => Promise<PaymentRefunds>;

/**
 * One payment, with the answers that confirmed it and what went back of it.
 * @throws AppError `INBOUND_PAYMENT_NOT_FOUND`
 */
export async function readInboundPayment(
  { database, readRefundsOfPayment }: { database: Database; readRefundsOfPayment: ReadRefundsOfPayment },
  tenant: Tenant,
  id: string,
) {
  const key = [tenant.merchantId, tenant.mode, id];
  const [[row], evidence, reserve] = await Promise.all([
    database.query(findInboundPayment, key),
    database.query(listInboundEvidence, key),
    readReserveOf(database, tenant, id),
  ]);
  if (row === undefined) throw inboundPaymentNotFound();
  return {
    payment: inboundPaymentView(row),
    refunds: await readRefundsOfPayment(database, row),
    reserve,
    evidence: evidence.map(({ source, outcome, code, received_at }) => ({
      source,
      outcome,
      code,
      receivedAt: received_at.toISOString(),
    })),
  };
}

export const PAYMENT_COLUMNS: CsvColumns<InboundPaymentRow> = {
  confirmedAt: ['Confirmed At (UTC)', ({ confirmed_at }) => confirmed_at.toISOString()],
  paidAt: ['Paid At (UTC)', ({ paid_at }) => paid_at?.toISOString() ?? ''],
  amount: ['Amount', ({ amount_minor }) => decimalText(amount_minor)],
  fee: ['Fee', ({ fee_minor }) => decimalText(fee_minor)],
  vat: ['VAT', ({ vat_minor }) => decimalText(vat_minor)],
  net: ['Net', (row) => decimalText(netOf(row))],
  reserve: ['Reserve', ({ reserve_minor }) => decimalText(reserve_minor)],
  channel: ['Channel', ({ channel }) => channel ?? ''],
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
  { columns, gone }: { columns?: string | undefined; gone: AbortSignal },
): Promise<ExportFile> {
  const chosen = chosenColumns(PAYMENT_COLUMNS, columns);
  const list = paymentsFor(deps, tenant, filter);
  return exportList(deps.database, tenant.merchantId, { list, columns: chosen, shownOf: (rows) => rows }, gone);
}
