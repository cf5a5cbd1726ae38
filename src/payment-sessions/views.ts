import { toNumber, toNumberOrNull } from '../money/index.ts';
import { jsonText } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { SessionAccountRow, SessionRow, ShownSessionPayment } from './queries.ts';
import { isConclusive, isPayable } from './session-state.ts';
import type { CollectionSettings } from './settings-queries.ts';

/**
 * The amount that has to arrive for the session to be paid, in minor units: the amount, and our fee where the customer
 * pays it. The payer also sends the provider's own fee, which the provider's report leaves out.
 */
export function dueOf({ amount_minor, fee_minor, vat_minor }: SessionRow): bigint {
  return amount_minor + fee_minor + vat_minor;
}

/** The amount that the payer still has to send, in minor units. For `ANY` the first payment is enough. */
export function outstandingOf(row: SessionRow): bigint {
  const { amount_rule, payable_minor, received_minor } = row;
  const isEnough = amount_rule === 'ANY' ? received_minor > 0n : received_minor >= dueOf(row);
  return isEnough || received_minor >= payable_minor ? 0n : payable_minor - received_minor;
}

/** The amount beyond what was asked for, in minor units. `AT_LEAST` and `ANY` have it too, where it is not odd. */
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

/** The part of a session that the payer may know. How to pay it is shown only while it can be paid. */
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

/** The view for a payer's browser: no data of payers, no metadata. */
export function publicSessionView(row: SessionRow, accounts: readonly SessionAccountRow[], merchantName: string) {
  return { ...sharedView(row, accounts), merchantName };
}

export type PublicSessionView = ReturnType<typeof publicSessionView>;

export function sessionPaymentView({ payment_id, amount_minor, status, note, received_at }: ShownSessionPayment) {
  const receivedAt = received_at.toISOString();
  return { paymentId: payment_id, amount: toNumber(amount_minor), status, note, receivedAt };
}

/** The view for the merchant. */
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

/** The settings of public keys, as the API shows them. */
export function settingsView(settings: CollectionSettings, { mode }: Tenant) {
  const { maxAmountMinor, updatedAt, ...rest } = settings;
  return {
    ...rest,
    maxAmount: toNumberOrNull(maxAmountMinor),
    mode,
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}
