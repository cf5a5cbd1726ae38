import type { Mode } from '../../platform/tenant.ts';
import { fieldsOf, textOf } from '../provider-answers.ts';
import {
  ANOTHER_CREDIT,
  accountNumberOf,
  factOf,
  instantOf,
  NO_KEY,
  saidOf,
  UNREADABLE_CREDIT,
  type WalletReading,
} from '../wallet-answers.ts';
import type { ConfirmedCredit, CreditAnswer, CreditHint, CreditKey } from '../wallet-provider.ts';
import { type Got, type PaystackContext, readBody } from './answers.ts';
import { readHttpStatus } from './transfers.ts';

/*
 * What Paystack's words mean for a credit. Read in November 2026 from
 *   https://github.com/PaystackOSS/openapi and https://github.com/PaystackOSS/doc-code-snippets (shapes, the statuses of
 *   the first three lines, what `authorization` has of a transfer)
 * The statuses of the fourth line stand in no list of Paystack's: integrations report them, and none of them ends anything.
 *
 * | status of the transaction | outcome |
 * |---|---|
 * | success | confirmed |
 * | reversed | reversed |
 * | failed, abandoned | failed |
 * | ongoing, pending, queued, processing | pending |
 * | any other | unknown |
 */
const STATUSES: Readonly<Record<string, [CreditAnswer['outcome'], WalletReading]>> = {
  success: ['confirmed', { reason: null, message: 'Paystack has the money' }],
  reversed: ['reversed', { reason: 'RAIL_REVERSED', message: 'Paystack returned the money to the payer' }],
  failed: ['failed', { reason: 'RAIL_REFUSED', message: 'Paystack did not take the money' }],
  abandoned: ['failed', { reason: 'RAIL_REFUSED', message: 'The payer did not pay' }],
  ongoing: ['pending', { reason: 'RAIL_PENDING', message: 'The payer is paying' }],
  pending: ['pending', { reason: 'RAIL_PENDING', message: 'Paystack is processing the credit' }],
  queued: ['pending', { reason: 'RAIL_PENDING', message: 'Paystack has queued the credit' }],
  processing: ['pending', { reason: 'RAIL_PENDING', message: 'Paystack is processing the credit' }],
};

const MODES: Readonly<Record<string, Mode>> = { live: 'LIVE', test: 'SANDBOX' };

const ABSENT: WalletReading = { reason: 'RAIL_RECORD_NOT_FOUND', message: 'Paystack has no such transaction' };

/**
 * GET /transaction/:id, or GET /transaction/verify/:reference where no id is known. The reference of a credit to a
 * dedicated account is Paystack's own, another one for each transfer.
 */
export async function queryCredit(
  context: PaystackContext,
  { providerTransactionId: id, providerReference: reference }: CreditKey,
  signal: AbortSignal,
): Promise<CreditAnswer> {
  if (id === null && reference === null) return { outcome: 'unknown', ...saidOf(NO_KEY, null, context.clock.now()) };
  const path =
    id === null
      ? `/transaction/verify/${encodeURIComponent(reference ?? '')}`
      : `/transaction/${encodeURIComponent(id)}`;
  const got = readBody(await context.http.request({ method: 'GET', path, signal }));
  const at = context.clock.now();
  if (got.isSuccess && got.data !== undefined) {
    const shown = id === null ? textOf(got.data['reference']) === reference : textOf(got.data['id']) === id;
    return shown
      ? answerOfTransaction(got.data, got.code, at)
      : { outcome: 'unknown', ...saidOf(ANOTHER_CREDIT, got.code, at) };
  }
  if (saysNoSuchTransaction(got)) return { outcome: 'not_found', ...saidOf(ABSENT, got.code, at) };
  return { outcome: 'unknown', ...saidOf(readHttpStatus(got.status), got.code, at) };
}

/** In Paystack's own words, with either status that integrations report: a path that does not exist is a 404 too. */
function saysNoSuchTransaction({ isRefusal, status, code, message }: Got): boolean {
  const says = code === 'transaction_not_found' || /^Transaction (reference |id )?not found/i.test(message);
  return isRefusal && (status === 404 || status === 400) && says;
}

function answerOfTransaction(data: Record<string, unknown>, code: string, at: Date): CreditAnswer {
  const status = textOf(data['status']);
  const listed = Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined;
  if (listed === undefined) {
    const message = `Paystack answered with an unknown status (${status})`;
    return { outcome: 'unknown', ...saidOf({ reason: 'RAIL_CODE_UNKNOWN', message }, status || code, at) };
  }
  const [outcome, reading] = listed;
  if (outcome !== 'confirmed' && outcome !== 'reversed') return { outcome, ...saidOf(reading, status, at) };
  const credit = creditOf(data);
  return credit === undefined
    ? { outcome: 'unknown', ...saidOf(UNREADABLE_CREDIT, status, at) }
    : { outcome, credit, ...saidOf(reading, status, at) };
}

/**
 * `amount` is what the payer sent, in kobo, before Paystack's `fees`: that is the gross amount of a credit.
 * `requested_amount` is what somebody asked the payer for, and is less where the payer bears the fee. Nobody asks for an
 * amount of a transfer to a dedicated account, so it decides nothing here.
 *
 * A transaction always has its `domain`: one that does not say whether it is play money is none that counts.
 */
function creditOf(data: Record<string, unknown>): ConfirmedCredit | undefined {
  const providerTransactionId = textOf(data['id']);
  const amountMinor = koboOf(data['amount']);
  const currency = textOf(data['currency']);
  const mode = MODES[textOf(data['domain'])];
  if (providerTransactionId === '' || !amountMinor || !/^[A-Z]{3}$/.test(currency) || mode === undefined) {
    return undefined;
  }
  const payer = fieldsOf(data['authorization']);
  return {
    providerTransactionId,
    providerReference: factOf(data['reference']),
    sessionId: null,
    accountNumber: accountNumberOf(payer?.['receiver_bank_account_number']),
    amountMinor,
    currency,
    providerFeeMinor: koboOf(data['fees']),
    mode,
    paidAt: instantOf(data['paid_at']) ?? instantOf(data['paidAt']),
    payerName: factOf(payer?.['sender_name']),
    payerAccountNumber: accountNumberOf(payer?.['sender_bank_account_number']),
    payerBankName: factOf(payer?.['sender_bank']),
    narration: factOf(payer?.['narration']),
  };
}

/** A transaction as a webhook or a list has it; undefined where it has neither id nor reference. */
export function hintOf(value: unknown): CreditHint | undefined {
  const data = fieldsOf(value);
  const providerTransactionId = factOf(data?.['id']);
  const providerReference = factOf(data?.['reference']);
  if (data === undefined || (providerTransactionId === null && providerReference === null)) return undefined;
  const accountNumber = accountNumberOf(fieldsOf(data['authorization'])?.['receiver_bank_account_number']);
  return {
    providerTransactionId,
    providerReference,
    sessionId: null,
    amountMinor: koboOf(data['amount']),
    accountNumber,
  };
}

/** Whole kobo, which Paystack writes as a number or as text; null where it is neither. */
function koboOf(value: unknown): bigint | null {
  const digits = textOf(value);
  return /^\d{1,18}$/.test(digits) ? BigInt(digits) : null;
}
