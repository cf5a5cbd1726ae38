import { fieldsOf, listedIn, textOf } from '../provider-answers.ts';
import {
  ANOTHER_CREDIT,
  ATTEMPT_FAILED,
  accountNumberOf,
  factOf,
  feeOnTop,
  instantOf,
  isOurReference,
  NO_KEY,
  requiredFactsOf,
  saidOf,
  UNREADABLE_CREDIT,
  type WalletReading,
} from '../wallet-answers.ts';
import type { ConfirmedCredit, CreditAnswer, CreditHint, CreditKey, PaymentChannel } from '../wallet-provider.ts';
import { DOMAINS, type Got, koboOf, type PaystackContext, readBody } from './answers.ts';
import { readHttpStatus } from './transfers.ts';

/*
 * What Paystack's words mean for a credit. Read in November 2026 from
 *   https://github.com/PaystackOSS/openapi and https://github.com/PaystackOSS/doc-code-snippets (shapes, the statuses of
 *   the first three lines, what `authorization` has of a transfer)
 * Of the statuses of the fourth line all but the first stand in no list of Paystack's: integrations report them, and none of
 * them ends anything. "abandoned" is what a page is that nobody has paid on yet, from its first second: it can still be paid.
 * So can one on which a card was declined.
 *
 * | status of the transaction | outcome |
 * |---|---|
 * | success | confirmed |
 * | reversed | reversed |
 * | failed | failed; pending where it is an attempt on a page |
 * | abandoned, ongoing, pending, queued, processing | pending |
 * | any other | unknown |
 */
const STATUSES: Readonly<Record<string, [CreditAnswer['outcome'], WalletReading]>> = {
  success: ['confirmed', { reason: null, message: 'Paystack has the money' }],
  reversed: ['reversed', { reason: 'RAIL_REVERSED', message: 'Paystack returned the money to the payer' }],
  failed: ['failed', { reason: 'RAIL_REFUSED', message: 'Paystack did not take the money' }],
  abandoned: ['pending', { reason: 'PAYMENT_NOT_MADE', message: 'The payer has not paid, and still can' }],
  ongoing: ['pending', { reason: 'RAIL_PENDING', message: 'The payer is paying' }],
  pending: ['pending', { reason: 'RAIL_PENDING', message: 'Paystack is processing the credit' }],
  queued: ['pending', { reason: 'RAIL_PENDING', message: 'Paystack has queued the credit' }],
  processing: ['pending', { reason: 'RAIL_PENDING', message: 'Paystack is processing the credit' }],
};

/** What is not here, such as a QR code, is a way to pay that the port has no word for. */
const CHANNELS: Readonly<Record<string, PaymentChannel>> = {
  dedicated_nuban: 'BANK_TRANSFER',
  bank_transfer: 'BANK_TRANSFER',
  card: 'CARD',
  ussd: 'USSD',
};

/** `metadata` of what was opened as a page; an account for one payment has none. */
export const PAGE_METADATA = { opened_as: 'page' };

const ABSENT: WalletReading = { reason: 'RAIL_RECORD_NOT_FOUND', message: 'Paystack has no such transaction' };

/**
 * GET /transaction/:id, or GET /transaction/verify/:reference where no id is known. The reference of what was opened for one
 * payment is ours, and has one transaction. That of a credit to a dedicated account is Paystack's own, another one for each
 * transfer.
 */
export async function queryCredit(
  context: PaystackContext,
  { providerTransactionId: id, providerReference, ourReference = null }: CreditKey,
  signal: AbortSignal,
): Promise<CreditAnswer> {
  const reference = ourReference ?? providerReference;
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
  const listed = listedIn(STATUSES, status);
  if (listed === undefined) {
    const message = `Paystack answered with an unknown status (${status})`;
    return { outcome: 'unknown', ...saidOf({ reason: 'RAIL_CODE_UNKNOWN', message }, status || code, at) };
  }
  const [outcome, reading] = listed;
  if (outcome === 'failed' && isOfPage(data)) return { outcome: 'pending', ...saidOf(ATTEMPT_FAILED, status, at) };
  if (outcome !== 'confirmed' && outcome !== 'reversed') return { outcome, ...saidOf(reading, status, at) };
  const credit = creditOf(data);
  return credit === undefined
    ? { outcome: 'unknown', ...saidOf(UNREADABLE_CREDIT, status, at) }
    : { outcome, credit, ...saidOf(reading, status, at) };
}

/** Whose reference is ours; undefined for a credit to a dedicated account, and where the channel does not say that it is none. */
function ourReferenceOf(data: Record<string, unknown>): string | undefined {
  const reference = textOf(data['reference']);
  const channel = textOf(data['channel']);
  return isOurReference(reference) && channel !== '' && channel !== 'dedicated_nuban' ? reference : undefined;
}

/** An account for one payment takes transfers alone, and no metadata is sent for it. */
function isOfPage(data: Record<string, unknown>): boolean {
  if (ourReferenceOf(data) === undefined) return false;
  const isMarked = fieldsOf(data['metadata'])?.['opened_as'] === PAGE_METADATA.opened_as;
  return isMarked || data['channel'] !== 'bank_transfer';
}

/** A transaction always has its `domain`: one that does not say whether it is play money is none that counts. */
function creditOf(data: Record<string, unknown>): ConfirmedCredit | undefined {
  const amounts = amountsOf(data);
  const facts = requiredFactsOf(textOf(data['id']), amounts?.amountMinor ?? null, textOf(data['currency']));
  const mode = listedIn(DOMAINS, textOf(data['domain']));
  if (amounts === undefined || facts === undefined || mode === undefined) return undefined;
  const payer = fieldsOf(data['authorization']);
  const accountReference = ourReferenceOf(data);
  const channel = listedIn(CHANNELS, textOf(data['channel']));
  return {
    ...facts,
    providerReference: factOf(data['reference']),
    sessionId: null,
    accountNumber: accountNumberOf(payer?.['receiver_bank_account_number']),
    ...(accountReference !== undefined && { accountReference }),
    ...(channel !== undefined && { channel }),
    providerFeeMinor: amounts.providerFeeMinor,
    mode,
    paidAt: instantOf(data['paid_at']) ?? instantOf(data['paidAt']),
    payerName: factOf(payer?.['sender_name']),
    payerAccountNumber: accountNumberOf(payer?.['sender_bank_account_number']),
    payerBankName: factOf(payer?.['sender_bank']),
    narration: factOf(payer?.['narration']),
  };
}

/**
 * `amount` is what the payer sent, in kobo, before Paystack's `fees`. `requested_amount` is what the payer was asked for, and
 * is less where the payer bears the fee: then that part of the fee is not the merchant's. Of a dedicated account nobody asks
 * for an amount. Undefined where the amount, or the fee that it contains, cannot be read.
 */
export function amountsOf(
  data: Record<string, unknown>,
): Pick<ConfirmedCredit, 'amountMinor' | 'providerFeeMinor'> | undefined {
  const paid = koboOf(data['amount']);
  const fee = koboOf(data['fees']);
  if (paid === null) return undefined;
  const asked = data['channel'] === 'dedicated_nuban' ? paid : koboOf(data['requested_amount']) || paid;
  if (fee === null) return paid > asked ? undefined : { amountMinor: paid, providerFeeMinor: null };
  const onTop = feeOnTop({ paid, asked, fee });
  return { amountMinor: paid - onTop, providerFeeMinor: fee - onTop };
}

/** A transaction as a webhook or a list has it; undefined where it has neither id nor reference. */
export function hintOf(value: unknown): CreditHint | undefined {
  const data = fieldsOf(value);
  const providerTransactionId = factOf(data?.['id']);
  const providerReference = factOf(data?.['reference']);
  if (data === undefined || (providerTransactionId === null && providerReference === null)) return undefined;
  const accountNumber = accountNumberOf(fieldsOf(data['authorization'])?.['receiver_bank_account_number']);
  const ourReference = ourReferenceOf(data);
  return {
    providerTransactionId,
    providerReference,
    sessionId: null,
    ...(ourReference !== undefined && { ourReference }),
    // As it is booked: a copy of what is in the books is known by it.
    amountMinor: amountsOf(data)?.amountMinor ?? null,
    accountNumber,
  };
}

/**
 * `bank.transfer.rejected`: a transfer that Paystack sends back, of a wrong amount, too late or from a payer whom it does not
 * trust. It has no reference; the query of `transaction_id` says what became of the payment, also of one that is in the books.
 * Undefined where it has none.
 */
export function hintOfRejected(data: Record<string, unknown> | undefined): CreditHint | undefined {
  const transfer = fieldsOf(data?.['bank_transfer']);
  const providerTransactionId = factOf(transfer?.['transaction_id']);
  if (transfer === undefined || providerTransactionId === null) return undefined;
  const amountMinor = koboOf(transfer['amount']);
  const keys = { providerTransactionId, providerReference: null, sessionId: null };
  return { ...keys, amountMinor, accountNumber: null, isReversal: true };
}
