import { toNumber, toNumberOrNull } from '../money/index.ts';
import { jsonText } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { SessionAccountRow, SessionRow, ShownSessionPayment } from './queries.ts';
import { isConclusive, isPayable } from './session-state.ts';
import type { CollectionSettings } from './settings-queries.ts';

/**
 * What has to arrive for the session to be paid, minor units: the amount, and our fee where the customer bears it. A fee
 * that the provider adds for itself is sent by the payer, and is not in what the provider reports.
 */
export function dueOf({ amount_minor, fee_minor, vat_minor }: SessionRow): bigint {
  return amount_minor + fee_minor + vat_minor;
}

/** What the payer still has to send, minor units. Whatever comes first is enough for `ANY`. */
export function outstandingOf(row: SessionRow): bigint {
  const { amount_rule, payable_minor, received_minor } = row;
  const isEnough = amount_rule === 'ANY' ? received_minor > 0n : received_minor >= dueOf(row);
  return isEnough || received_minor >= payable_minor ? 0n : payable_minor - received_minor;
}

/** What came beyond the amount, minor units. Of `AT_LEAST` and `ANY` too, where nothing is odd about it. */
function excessOf({ payable_minor, received_minor }: SessionRow): bigint {
  return received_minor > payable_minor ? received_minor - payable_minor : 0n;
}

/**
 * The `ETag` of what is shown of a session: the same for the same content.
 * @param shown which of its views, where it has more than one
 */
export function etagOf({ version, expires_at }: SessionRow, shown?: 'public' | 'over'): string {
  return `"${version}-${expires_at.getTime()}${shown === undefined ? '' : `-${shown}`}"`;
}

/** What is no secret from the payer. How to pay it is shown only while it can be paid. */
function sharedView(row: SessionRow, accounts: readonly SessionAccountRow[]) {
  const payable = isPayable(row.status);
  return {
    sessionId: row.id,
    reference: row.reference,
    status: row.status,
    conclusive: isConclusive(row.status),
    payable,
    amount: toNumber(row.amount_minor),
    feeBearer: row.fee_bearer,
    fee: toNumber(row.fee_minor),
    vat: toNumber(row.vat_minor),
    amountToPay: toNumber(row.payable_minor),
    received: toNumber(row.received_minor),
    outstanding: toNumber(outstandingOf(row)),
    excess: toNumber(excessOf(row)),
    currency: row.currency,
    amountRule: row.amount_rule,
    description: row.description,
    channels: row.channels.split(' '),
    accounts: payable
      ? accounts.map((account) => ({
          bankCode: account.bank_code,
          bankName: account.bank_name,
          accountNumber: account.account_number,
          accountName: account.account_name,
        }))
      : [],
    ussdCode: payable ? row.ussd_code : null,
    pageUrl: payable ? row.page_url : null,
    returnUrl: row.return_url,
    cancelUrl: row.cancel_url,
    mode: row.mode,
    expiresAt: row.expires_at.toISOString(),
    version: row.version,
  };
}

/** For a payer's browser: nothing of payers, no metadata. */
export function publicSessionView(row: SessionRow, accounts: readonly SessionAccountRow[], merchantName: string) {
  return { ...sharedView(row, accounts), merchantName };
}

export type PublicSessionView = ReturnType<typeof publicSessionView>;

export function sessionPaymentView({ payment_id, amount_minor, status, note, received_at }: ShownSessionPayment) {
  const receivedAt = received_at.toISOString();
  return { paymentId: payment_id, amount: toNumber(amount_minor), status, note, receivedAt };
}

/** For the merchant. */
export function sessionView(row: SessionRow, accounts: readonly SessionAccountRow[]) {
  return {
    ...sharedView(row, accounts),
    reason: row.reason,
    message: row.message,
    walletId: row.wallet_id,
    customer: { name: row.customer_name, email: row.customer_email, phoneNumber: row.customer_phone },
    customerId: row.customer_id,
    linkId: row.link_id,
    metadata: row.metadata === null ? null : jsonText(row.metadata),
    openedBy: row.opened_by,
    unpricedByServer: row.opened_by === 'PUBLIC_KEY',
    openedAt: row.opened_at?.toISOString() ?? null,
    paidAt: row.paid_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** @param payment that the event is about; null where it is about none */
export function sessionEventView(
  row: SessionRow,
  accounts: readonly SessionAccountRow[],
  payment: ShownSessionPayment | null,
) {
  return { ...sessionView(row, accounts), payment: payment && sessionPaymentView(payment) };
}

/** What public keys may do, on the wire. */
export function settingsView(settings: CollectionSettings, { mode }: Tenant) {
  const { maxAmountMinor, updatedAt, ...rest } = settings;
  return {
    ...rest,
    maxAmount: toNumberOrNull(maxAmountMinor),
    mode,
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}
