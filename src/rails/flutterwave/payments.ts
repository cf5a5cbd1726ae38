import { MINUTE_MS } from '../../platform/clock.ts';
import type { Mode } from '../../platform/tenant.ts';
import { fromDecimal, toJsonDecimal } from '../decimal-amount.ts';
import type { ProviderAnswer } from '../http.ts';
import { fieldsOf, narrationOf, requireMode } from '../provider-answers.ts';
import {
  ANOTHER_OPENING,
  accountNumberOf,
  factOf,
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
import { verifyReference } from './credits.ts';
import { dataOf, listedRefusal, nameInNote, type Refusals, refusalOf, whyUnknown } from './transfers.ts';
import type { FlutterwaveContext } from './virtual-accounts.ts';

/*
 * Accounts for one payment, and pages of Flutterwave's own, version 3. Read in November 2026 from
 *   https://github.com/Flutterwave/Node-v3/blob/master/documentation/collections.md (a charge by bank transfer, its answer)
 *   https://developer.flutterwave.com/docs/collecting-payments/standard (pages, `session_duration`)
 *   https://developer.flutterwave.com/docs/ngn-bank-transfer and
 *   https://developer.flutterwave.com/docs/handling-error-timeouts (to ask before repeating)
 * The names of `payment_options`, and where a page of a test key is, are those that integrations show.
 *
 * `tx_ref` has to be unique, but nothing documents what a second request with the same one does, nor when the transaction of
 * the first can be found: at once, or with the first attempt to pay. So Flutterwave is asked first, and whatever it then
 * shows under our reference opens nothing else. Where it shows nothing, a second request may bring another number or page.
 * Both carry our reference, whatever is paid says that one, and what was lost was never shown to anybody.
 */

/** 31,536,000 seconds. */
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;

/** What Flutterwave does with another amount is not documented: whatever it reports as paid counts. */
export const ONE_TIME_TERMS: OneTimeTerms = { otherAmounts: 'TAKES', minExpiryMs: MINUTE_MS, maxExpiryMs: YEAR_MS };

/** The longest that there is. */
const SESSION_MINUTES = 1_440;

const CHANNELS: Readonly<Record<PaymentChannel, string>> = {
  BANK_TRANSFER: 'banktransfer',
  CARD: 'card',
  USSD: 'ussd',
};

/** Where its pages are: checkout.flutterwave.com, or a host of its developers' domain with a test key. */
const DOMAINS: Readonly<Record<Mode, readonly string[]>> = {
  LIVE: ['flutterwave.com'],
  SANDBOX: ['flutterwave.com', 'dev-flutterwave.com'],
};

/** By their text: there are no codes, and no list of texts. */
const REFUSALS: Refusals = [
  [
    /amount.*(invalid|required|must be|minimum|maximum|less than|greater than|limit)|invalid amount/i,
    { reason: 'AMOUNT_INVALID', message: 'Flutterwave does not take this amount' },
  ],
  [
    /(e-?mail|phone ?number|customer).*(required|invalid|not valid)|invalid (e-?mail|phone)/i,
    {
      reason: 'PAYER_DETAILS_INVALID',
      message: "Flutterwave does not accept the payer's name, e-mail address or phone number",
    },
  ],
  [
    /not (permitted|enabled|allowed)/i,
    { reason: 'CHANNEL_NOT_PERMITTED', message: 'Flutterwave has not enabled this way to pay for the business' },
  ],
];

const NO_ACCOUNT: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'Flutterwave shows no account to which a payer could transfer, or not exactly how much',
};
const NO_PAGE: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'Flutterwave shows no address of a page of its own',
};

/** POST /v3/charges?type=bank_transfer. */
export async function openOneTimeAccount(
  context: FlutterwaveContext,
  request: OpenOneTimeRequest,
  signal: AbortSignal,
): Promise<OpenOneTimeAnswer> {
  const { http, clock, mode } = context;
  requireMode(request.tenant, mode);
  const { reference, payer, amountMinor, expiresAt, description } = request;
  const before = await findBefore(context, reference, signal);
  if (before !== undefined) return before;
  const body = {
    tx_ref: reference,
    amount: toJsonDecimal(amountMinor),
    currency: 'NGN',
    email: payer.email,
    fullname: payer.name,
    ...(payer.phoneNumber !== null && { phone_number: payer.phoneNumber }),
    narration: narrationOf(description),
    is_permanent: false,
    expires: secondsUntil(expiresAt, clock.now()),
  };
  const query = { type: 'bank_transfer' };
  const answer = await http.request({ method: 'POST', path: '/v3/charges', query, body, signal });
  return answerOfCharge(request, answer, clock.now()) ?? notOpened(answer, clock.now());
}

/** Within Flutterwave's band. */
function secondsUntil(expiresAt: Date, now: Date): number {
  const { minExpiryMs, maxExpiryMs } = ONE_TIME_TERMS;
  const wanted = expiresAt.getTime() - now.getTime();
  return Math.ceil(Math.min(Math.max(wanted, minExpiryMs), maxExpiryMs) / 1_000);
}

/**
 * The account stands in `meta`, and there is no `data`. `transfer_amount` is what the payer has to send, with the fee where
 * the payer bears it. Undefined where Flutterwave shows no charge.
 */
function answerOfCharge(
  { amountMinor, description }: OpenOneTimeRequest,
  answer: ProviderAnswer,
  at: Date,
): OpenOneTimeAnswer | undefined {
  const envelope = fieldsOf(answer.body);
  const isSuccess = answer.status >= 200 && answer.status <= 299 && envelope?.['status'] === 'success';
  const shown = fieldsOf(fieldsOf(envelope?.['meta'])?.['authorization']);
  if (!isSuccess) return undefined;
  const code = `HTTP_${answer.status}`;
  const accountNumber = accountNumberOf(shown?.['transfer_account']);
  const bankName = factOf(shown?.['transfer_bank']);
  const providerReference = factOf(shown?.['transfer_reference']);
  const payableMinor = fromDecimal(shown?.['transfer_amount'] ?? null);
  if (accountNumber === null || bankName === null || providerReference === null || payableMinor === null) {
    return { outcome: 'unknown', ...saidOf(NO_ACCOUNT, code, at) };
  }
  if (payableMinor < amountMinor) return { outcome: 'unknown', ...saidOf(ANOTHER_OPENING, code, at) };
  const accountName = nameInNote(shown?.['transfer_note']) ?? narrationOf(description);
  return {
    outcome: 'opened',
    accounts: [{ bankCode: null, bankName, accountNumber, accountName }],
    providerReference,
    expiresAt: epochOf(shown?.['account_expiration']),
    payableMinor,
    ussdCode: null,
    ...saidOf(OPENED, code, at),
  };
}

/** Milliseconds; null for any other form, since nothing documents another. */
function epochOf(value: unknown): Date | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 1e12 && value < 1e14
    ? new Date(value)
    : null;
}

/** POST /v3/payments. Its answer alone has the address. */
export async function openPage(
  context: FlutterwaveContext,
  request: OpenPageRequest,
  signal: AbortSignal,
): Promise<OpenPageAnswer> {
  const { http, clock, mode } = context;
  requireMode(request.tenant, mode);
  const { reference, payer, amountMinor, returnUrl, channels, description } = request;
  const before = await findBefore(context, reference, signal);
  if (before !== undefined) return before;
  const { name, email, phoneNumber } = payer;
  const body = {
    tx_ref: reference,
    amount: toJsonDecimal(amountMinor),
    currency: 'NGN',
    redirect_url: returnUrl,
    customer: { email, name, ...(phoneNumber !== null && { phonenumber: phoneNumber }) },
    session_duration: SESSION_MINUTES,
    payment_options: channels.map((channel) => CHANNELS[channel]).join(','),
    customizations: { description: narrationOf(description) },
  };
  const opensAt = clock.now();
  const answer = await http.request({ method: 'POST', path: '/v3/payments', body, signal });
  const at = clock.now();
  const data = fieldsOf(dataOf(answer));
  if (data === undefined) return notOpened(answer, at);
  const code = `HTTP_${answer.status}`;
  const url = pageAddressOf(data['link'], DOMAINS[mode]);
  if (url === null) return { outcome: 'unknown', ...saidOf(NO_PAGE, code, at) };
  const expiresAt = new Date(opensAt.getTime() + SESSION_MINUTES * MINUTE_MS);
  // Flutterwave gives the page no reference but the one in its address.
  return { outcome: 'opened', url, providerReference: reference, expiresAt, ...saidOf(OPENED, code, at) };
}

/**
 * Why nothing is to be opened: Flutterwave shows a transaction of our reference, or says nothing. Undefined where it refuses
 * to show one, in whatever words: it documents none for a reference that it does not know.
 */
async function findBefore(
  { http, clock }: FlutterwaveContext,
  reference: string,
  signal: AbortSignal,
): Promise<NotOpened | undefined> {
  const answer = await verifyReference(http, reference, signal);
  const saysNone = refusalOf(answer) !== undefined && (answer.status === 400 || answer.status === 404);
  if (saysNone) return undefined;
  const reading = fieldsOf(dataOf(answer)) === undefined ? whyUnknown(answer) : OPENED_BEFORE;
  return { outcome: 'unknown', ...saidOf(reading, `HTTP_${answer.status}`, clock.now()) };
}

function notOpened(answer: ProviderAnswer, at: Date): NotOpened {
  const code = `HTTP_${answer.status}`;
  const refusal = listedRefusal(answer, REFUSALS);
  return refusal === undefined
    ? { outcome: 'unknown', ...saidOf(whyUnknown(answer), code, at) }
    : { outcome: 'refused', ...saidOf(refusal, code, at) };
}
