import { fromDecimal, fromDecimalDown } from '../decimal-amount.ts';
import type { ProviderAnswer, ProviderHttp } from '../http.ts';
import { fieldsOf, listedIn, textOf } from '../provider-answers.ts';
import {
  ANOTHER_CREDIT,
  ATTEMPT_FAILED,
  accountNumberOf,
  factOf,
  feeOnTop,
  instantOf,
  NO_KEY,
  requiredFactsOf,
  saidOf,
  UNREADABLE_CREDIT,
  type WalletReading,
} from '../wallet-answers.ts';
import type { ConfirmedCredit, CreditAnswer, CreditHint, CreditKey, PaymentChannel } from '../wallet-provider.ts';
import { dataOf, readHttpStatus, refusalOf } from './transfers.ts';
import type { FlutterwaveContext } from './virtual-accounts.ts';

/*
 * What Flutterwave's words mean for a credit, version 3. Read in November 2026 from
 *   https://github.com/Flutterwave/Node-v3/blob/master/documentation/transactions.md (statuses, shapes)
 *   https://developer.flutterwave.com/reference/endpoints/virtual-account-numbers/ (tx_ref, which each credit of an account
 *   carries)
 * Who paid stands in `meta` as the webhooks of integrations show it, and "No transaction was found" is the text that they
 * report with HTTP 400 and 404: neither is documented.
 *
 * | status of the transaction | outcome |
 * |---|---|
 * | successful | confirmed |
 * | failed | failed; pending where it was asked for by our reference |
 * | pending | pending |
 * | any other | unknown |
 */
const STATUSES: Readonly<Record<string, ['confirmed' | 'failed' | 'pending', WalletReading]>> = {
  successful: ['confirmed', { reason: null, message: 'Flutterwave has the money' }],
  failed: ['failed', { reason: 'RAIL_REFUSED', message: 'Flutterwave did not take the money' }],
  pending: ['pending', { reason: 'RAIL_PENDING', message: 'Flutterwave is processing the credit' }],
};

/** `payment_type`. What is not here, such as a wallet, is a way to pay that the port has no word for. */
const CHANNELS: Readonly<Record<string, PaymentChannel>> = {
  bank_transfer: 'BANK_TRANSFER',
  card: 'CARD',
  ussd: 'USSD',
};

const ABSENT: WalletReading = { reason: 'RAIL_RECORD_NOT_FOUND', message: 'Flutterwave has no such transaction' };

/**
 * GET /v3/transactions/:id/verify. Without an id, and for what was opened for one payment alone,
 * GET /v3/transactions/verify_by_reference: a `tx_ref` may have several transactions, of several attempts or payments, and it
 * answers with one of them. So one that failed says nothing of the payment as a whole. The `tx_ref` of a static account is
 * that of each of its credits, and nobody asks by it.
 */
export async function queryCredit(
  { http, clock }: FlutterwaveContext,
  { providerTransactionId: id, ourReference = null }: CreditKey,
  signal: AbortSignal,
): Promise<CreditAnswer> {
  if (id === null && ourReference === null) return { outcome: 'unknown', ...saidOf(NO_KEY, null, clock.now()) };
  const answer =
    id === null
      ? await verifyReference(http, ourReference ?? '', signal)
      : await http.request({ method: 'GET', path: `/v3/transactions/${encodeURIComponent(id)}/verify`, signal });
  const at = clock.now();
  const code = `HTTP_${answer.status}`;
  const data = fieldsOf(dataOf(answer));
  if (data !== undefined) {
    const isShown = id === null ? textOf(data['tx_ref']) === ourReference : textOf(data['id']) === id;
    if (!isShown) return { outcome: 'unknown', ...saidOf(ANOTHER_CREDIT, code, at) };
    const given = answerOfTransaction(data, code, at);
    const isAttempt = id === null && given.outcome === 'failed';
    return isAttempt ? { outcome: 'pending', ...saidOf(ATTEMPT_FAILED, given.code, at) } : given;
  }
  const refusal = refusalOf(answer);
  const isAbsent = refusal !== undefined && /^No transaction was found/i.test(refusal);
  if (isAbsent && (answer.status === 404 || answer.status === 400)) {
    return { outcome: 'not_found', ...saidOf(ABSENT, code, at) };
  }
  return { outcome: 'unknown', ...saidOf(readHttpStatus(answer.status), code, at) };
}

/** One transaction of a reference of ours, whichever Flutterwave shows. */
export function verifyReference(http: ProviderHttp, reference: string, signal: AbortSignal): Promise<ProviderAnswer> {
  const path = '/v3/transactions/verify_by_reference';
  return http.request({ method: 'GET', path, query: { tx_ref: reference }, signal });
}

function answerOfTransaction(data: Record<string, unknown>, code: string, at: Date): CreditAnswer {
  const status = textOf(data['status']);
  const listed = listedIn(STATUSES, status);
  if (listed === undefined) {
    const message = `Flutterwave answered with an unknown status (${status})`;
    return { outcome: 'unknown', ...saidOf({ reason: 'RAIL_CODE_UNKNOWN', message }, status || code, at) };
  }
  const [outcome, reading] = listed;
  if (outcome !== 'confirmed') return { outcome, ...saidOf(reading, status, at) };
  const credit = creditOf(data);
  return credit === undefined
    ? { outcome: 'unknown', ...saidOf(UNREADABLE_CREDIT, status, at) }
    : { outcome, credit, ...saidOf(reading, status, at) };
}

/**
 * `amount` is what is the business's, in naira, before the fees; `amount_settled` is what is left. `charged_amount` is what
 * the payer sent: more where the payer bears the fee, and never less. The account's number is not in the answer: `tx_ref` is
 * our reference of the account or page. Nothing distinguishes a test transaction from a live one but the key that finds it.
 */
function creditOf(data: Record<string, unknown>): ConfirmedCredit | undefined {
  const facts = requiredFactsOf(textOf(data['id']), fromDecimal(data['amount']), textOf(data['currency']));
  if (facts === undefined) return undefined;
  const charged = fromDecimalDown(data['charged_amount'] ?? data['amount']);
  if (charged === null || charged < facts.amountMinor) return undefined;
  const payer = fieldsOf(data['meta']);
  const accountReference = factOf(data['tx_ref']);
  const channel = listedIn(CHANNELS, textOf(data['payment_type']));
  return {
    ...facts,
    providerReference: factOf(data['flw_ref']),
    sessionId: null,
    accountNumber: null,
    ...(accountReference !== null && { accountReference }),
    ...(channel !== undefined && { channel }),
    providerFeeMinor: feeOf(data, facts.amountMinor),
    mode: null,
    paidAt: instantOf(data['created_at']),
    payerName: factOf(payer?.['originatorname']),
    payerAccountNumber: accountNumberOf(payer?.['originatoraccountnumber']),
    payerBankName: factOf(payer?.['bankname']),
    narration: factOf(data['narration']),
  };
}

/**
 * Flutterwave's fee and the one that the business added, without what the payer paid on top; null where a part of it is
 * finer than a kobo or missing, or it is below zero.
 */
function feeOf(data: Record<string, unknown>, asked: bigint): bigint | null {
  const own = fromDecimal(data['app_fee']);
  const added = fromDecimal(data['merchant_fee'] ?? 0);
  const paid = fromDecimal(data['charged_amount'] ?? data['amount']);
  if (own === null || added === null || paid === null) return null;
  const fee = own + added;
  // No payment is kept with one: it would never be booked.
  return fee < 0n ? null : fee - feeOnTop({ paid, asked, fee });
}

/** A transaction as a webhook or a list has it; undefined where it has no id, by which alone it can be asked for. */
export function hintOf(value: unknown): CreditHint | undefined {
  const data = fieldsOf(value);
  const providerTransactionId = factOf(data?.['id']);
  if (data === undefined || providerTransactionId === null) return undefined;
  return {
    providerTransactionId,
    providerReference: factOf(data['flw_ref']),
    sessionId: null,
    amountMinor: fromDecimal(data['amount']),
    accountNumber: null,
  };
}
