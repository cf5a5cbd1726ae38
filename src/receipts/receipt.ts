import { formatMoney } from '../money/index.ts';
import { findPayout, type PayoutRecord } from '../payouts/index.ts';
import { lagosTimeText } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { referenceOf, transactionNotFound } from '../transactions/index.ts';
import { receiptNotPaid, receiptReturned } from './errors.ts';

export interface ReceiptLine {
  label: string;
  value: string;
}

/**
 * What a receipt says, on every page and in the PDF. It comes from the payout's own rows alone, so it is always the
 * same for one payout.
 */
export interface Receipt {
  /** `₦1,500.50`: what the payee got. */
  amount: string;
  payee: string;
  paidAt: Date;
  reference: string;
  /** Of the sandbox: no money moved. */
  isTest: boolean;
  lines: readonly ReceiptLine[];
  /** What kind of paper it is, and what stands below it; a receipt unless given. */
  heading?: string;
  footer?: string;
}

/** For whom a receipt is made. */
export interface ReceiptOptions {
  /** Under a link: the account number is masked. */
  isShared?: boolean;
  /** Shows what the payout cost. Left out unless the merchant asks for it, and never shared. */
  withCharges?: boolean;
}

/** @throws AppError 404 `TRANSACTION_NOT_FOUND`, also for what is no payout; 409 `RECEIPT_NOT_PAID`, `RECEIPT_RETURNED`. */
export async function readReceipt(
  queries: Queries,
  { merchantId, mode }: Tenant,
  transactionId: string,
  options: ReceiptOptions = {},
): Promise<Receipt> {
  const [payout] = await queries.query(findPayout, [merchantId, mode, transactionId]);
  if (payout === undefined) throw transactionNotFound();
  return receiptOf(payout, options);
}

/** @throws AppError 409 `RECEIPT_NOT_PAID`, `RECEIPT_RETURNED` */
function receiptOf(payout: PayoutRecord, { isShared = false, withCharges = false }: ReceiptOptions): Receipt {
  const { status, paid_at: paidAt, amount_minor, currency } = payout;
  if (status === 'REVERSED') throw receiptReturned();
  if (status !== 'SUCCESS' || paidAt === null) throw receiptNotPaid();
  const ours = referenceOf(payout.id);
  const reference = payout.client_reference ?? ours;
  const account = payout.beneficiary_account_number;
  const lines: [string, string | null][] = [
    ['Paid to', payout.beneficiary_account_name],
    ['Bank', payout.beneficiary_bank_name],
    ['Account number', isShared ? masked(account) : account],
    ['Paid by', payout.originator_account_name],
    ['For', payout.narration],
    ['Paid at', paidAtText(paidAt)],
    ['Reference', reference],
    ['Transaction', reference === ours ? null : ours],
    ['Session id', payout.session_id],
    ...(withCharges && !isShared ? chargesOf(payout) : []),
  ];
  return {
    amount: formatMoney(amount_minor, currency),
    payee: payout.beneficiary_account_name,
    paidAt,
    reference,
    isTest: payout.mode === 'SANDBOX',
    lines: lines.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }])),
  };
}

/** The last four digits: the payee knows the account, and nobody else learns it. */
const masked = (account: string): string => `${'*'.repeat(Math.max(0, account.length - 4))}${account.slice(-4)}`;

/** `20 November 2026 at 10:30, Lagos time (UTC+01:00)` */
const paidAtText = (paidAt: Date): string => `${lagosTimeText(paidAt)} (UTC+01:00)`;

function chargesOf(payout: PayoutRecord): [string, string | null][] {
  const { fee_minor, vat_minor, stamp_duty_minor, amount_minor, charges_minor, currency } = payout;
  const line = (label: string, minor: bigint): [string, string | null] => [
    label,
    minor === 0n ? null : formatMoney(minor, currency),
  ];
  return [
    line('Fee', fee_minor),
    line('VAT on the fee', vat_minor),
    line('Stamp duty', stamp_duty_minor),
    line('Left the wallet', amount_minor + charges_minor),
  ];
}
