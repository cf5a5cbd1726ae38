import type { Clock } from '../../platform/clock.ts';
import { fromDecimal, toJsonDecimal } from '../decimal-amount.ts';
import type { ProviderAnswer } from '../http.ts';
import { type BankNumbering, fieldsOf, textOf } from '../provider-answers.ts';
import {
  ANOTHER_OPENING,
  accountNumberOf,
  factOf,
  isTemporary,
  type NotOpened,
  OPENED,
  OPENED_BEFORE,
  pageAddressOf,
  saidOf,
  type WalletReading,
} from '../wallet-answers.ts';
import type {
  OneTimeTerms,
  OpenOneTimeAnswer,
  OpenOneTimeRequest,
  OpenPageAnswer,
  OpenPageRequest,
  PaymentChannel,
} from '../wallet-provider.ts';
import { toPayment } from './credits.ts';
import type { MonnifySession } from './session.ts';
import { openEnvelope } from './transfers.ts';
import { saysNoSuchPayment, unusable } from './wallet-readings.ts';

/*
 * Accounts for one payment, and pages of Monnify's own. Read in November 2026, in stored copies, from
 *   https://developers.monnify.com/api/ (init-transaction, `checkoutUrl`)
 *   https://teamapt.atlassian.net/wiki/spaces/MON/pages/213909268/Pay+with+Bank+Transfer (init-payment, which may be repeated)
 *   https://developers.monnify.com/docs/collections/payment-methods (40 minutes)
 *   https://support.monnify.com/topics/integrating-monnify-244/references-and-statuses-payment-collections-599 (a
 *   `paymentReference` is taken once)
 * The text of that refusal is not documented: after any refusal Monnify is asked what it has under our reference.
 */

/** Monnify alone decides when an account closes. Another amount is PARTIALLY_PAID or OVERPAID. */
const ACCOUNT_MS = 2_400_000;
export const ONE_TIME_TERMS: OneTimeTerms = {
  otherAmounts: 'TAKES',
  minExpiryMs: ACCOUNT_MS,
  maxExpiryMs: ACCOUNT_MS,
};

const METHODS: Readonly<Record<PaymentChannel, string>> = {
  BANK_TRANSFER: 'ACCOUNT_TRANSFER',
  CARD: 'CARD',
  USSD: 'USSD',
};

/** Where its pages are: sdk.monnify.com, sandbox.sdk.monnify.com. */
const DOMAINS = ['monnify.com'];

/** By their text; the second is that of reserved accounts. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/amount/i, 'AMOUNT_INVALID'],
  [/contract code|specified contract/i, 'PROVIDER_CONTRACT_UNKNOWN'],
  [/e-?mail|customer ?name/i, 'PAYER_DETAILS_INVALID'],
  [/payment method.*not|not (enabled|permitted|allowed)/i, 'CHANNEL_NOT_PERMITTED'],
];

const NO_ACCOUNT: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'Monnify shows no account to which a payer could transfer, or not exactly how much',
};
const NO_PAGE: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'Monnify shows no address of a page of its own',
};

interface Context {
  session: MonnifySession;
  clock: Clock;
  banks: BankNumbering;
  contractCode: string;
}

type Begun = { transactionReference: string; checkoutUrl: unknown } | { transactionReference: string; isBefore: true };

/**
 * POST init-transaction, then init-payment, which answers with the same account however often it is asked: one whose answer
 * was lost is found by our reference.
 */
export async function openOneTimeAccount(
  context: Context,
  request: OpenOneTimeRequest,
  signal: AbortSignal,
): Promise<OpenOneTimeAnswer> {
  const begun = await begin(context, { ...request, channels: ['BANK_TRANSFER'] }, signal);
  if ('outcome' in begun) return begun;
  const { transactionReference } = begun;
  const path = '/api/v1/merchant/bank-transfer/init-payment';
  const answer = await context.session.request({ method: 'POST', path, body: { transactionReference }, signal });
  return answerOfAccount(context, request, answer);
}

function answerOfAccount(
  { clock, banks }: Context,
  { reference, amountMinor }: OpenOneTimeRequest,
  answer: ProviderAnswer,
): OpenOneTimeAnswer {
  const { data, code } = openEnvelope(answer);
  const fields = fieldsOf(data);
  if (fields === undefined) return { outcome: 'unknown', ...unusable(answer, clock) };
  const at = clock.now();
  const payableMinor = fromDecimal(fields['totalPayable'] ?? null);
  const accountNumber = accountNumberOf(fields['accountNumber']);
  const bankName = factOf(fields['bankName']);
  const accountName = factOf(fields['accountName']);
  if (payableMinor === null || accountNumber === null || bankName === null || accountName === null) {
    return { outcome: 'unknown', ...saidOf(NO_ACCOUNT, code, at) };
  }
  if (fields['paymentReference'] !== reference || payableMinor < amountMinor) {
    return { outcome: 'unknown', ...saidOf(ANOTHER_OPENING, code, at) };
  }
  const seconds = fields['accountDurationSeconds'];
  return {
    outcome: 'opened',
    accounts: [{ bankCode: banks.ours(textOf(fields['bankCode'])), bankName, accountNumber, accountName }],
    providerReference: textOf(fields['transactionReference']) || reference,
    expiresAt: typeof seconds === 'number' && seconds > 0 ? new Date(at.getTime() + seconds * 1_000) : null,
    payableMinor,
    ussdCode: factOf(fields['ussdPayment']) ?? factOf(fields['ussdCode']),
    ...saidOf(OPENED, code, at),
  };
}

/** The answer of init-transaction alone has the address: no question brings it again. */
export async function openPage(
  context: Context,
  request: OpenPageRequest,
  signal: AbortSignal,
): Promise<OpenPageAnswer> {
  const begun = await begin(context, request, signal);
  if ('outcome' in begun) return begun;
  const at = context.clock.now();
  if ('isBefore' in begun) return { outcome: 'unknown', ...saidOf(OPENED_BEFORE, null, at) };
  const url = pageAddressOf(begun.checkoutUrl, DOMAINS);
  return url === null
    ? { outcome: 'unknown', ...saidOf(NO_PAGE, null, at) }
    : {
        outcome: 'opened',
        url,
        providerReference: begun.transactionReference,
        expiresAt: null,
        ...saidOf(OPENED, null, at),
      };
}

type BeginRequest = Omit<OpenPageRequest, 'returnUrl'> & { returnUrl?: string };

/** POST init-transaction, or what Monnify has under our reference already. */
async function begin(context: Context, request: BeginRequest, signal: AbortSignal): Promise<Begun | NotOpened> {
  const { session, clock, contractCode } = context;
  const { reference, payer, amountMinor, description, channels, returnUrl } = request;
  const answer = await session.request({
    method: 'POST',
    path: '/api/v1/merchant/transactions/init-transaction',
    body: {
      amount: toJsonDecimal(amountMinor),
      customerName: payer.name,
      customerEmail: payer.email,
      paymentReference: reference,
      paymentDescription: description,
      currencyCode: 'NGN',
      contractCode,
      ...(returnUrl !== undefined && { redirectUrl: returnUrl }),
      paymentMethods: channels.map((channel) => METHODS[channel]),
    },
    signal,
  });
  const envelope = openEnvelope(answer);
  if (envelope.refused && answer.status < 500) return findBefore(context, reference, answer, signal);
  const fields = fieldsOf(envelope.data);
  if (fields === undefined) return { outcome: 'unknown', ...unusable(answer, clock) };
  const transactionReference = textOf(fields['transactionReference']);
  if (transactionReference === '' || fields['paymentReference'] !== reference) {
    return { outcome: 'unknown', ...saidOf(ANOTHER_OPENING, envelope.code, clock.now()) };
  }
  return { transactionReference, checkoutUrl: fields['checkoutUrl'] };
}

/** A refusal counts only where Monnify has no transaction of our reference; one that is no longer open is opened by nothing. */
async function findBefore(
  { session, clock }: Context,
  reference: string,
  refused: ProviderAnswer,
  signal: AbortSignal,
): Promise<Begun | NotOpened> {
  const path = '/api/v2/merchant/transactions/query';
  const found = await session.request({ method: 'GET', path, query: { paymentReference: reference }, signal });
  const { code, message } = openEnvelope(refused);
  const shown = openEnvelope(found);
  const payment = toPayment(shown.data);
  if (payment !== undefined && payment.paymentReference === reference) {
    return payment.status === 'PENDING'
      ? { transactionReference: payment.transactionReference, isBefore: true }
      : { outcome: 'unknown', ...saidOf(OPENED_BEFORE, payment.status, clock.now()) };
  }
  if (!saysNoSuchPayment(found, shown)) return { outcome: 'unknown', ...unusable(found, clock) };
  const reason = isTemporary(message) ? undefined : REFUSALS.find(([pattern]) => pattern.test(message))?.[1];
  return reason === undefined
    ? { outcome: 'unknown', ...saidOf({ reason: 'RAIL_REFUSAL_UNLISTED', message }, code, clock.now()) }
    : { outcome: 'refused', ...saidOf({ reason, message }, code, clock.now()) };
}
