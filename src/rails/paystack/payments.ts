import { MINUTE_MS } from '../../platform/clock.ts';
import { fieldsOf, requireMode, textOf } from '../provider-answers.ts';
import {
  ANOTHER_OPENING,
  ASSIGNING,
  accountNumberOf,
  factOf,
  instantOf,
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
import { type Got, listedRefusal, type PaystackContext, type Refusal, readBody, whyUnknown } from './answers.ts';
import { PAGE_METADATA } from './credits.ts';
import { wireAmount } from './transfers.ts';

/*
 * Accounts for one payment ("pay with transfer"), and pages of Paystack's own. Read in November 2026 from
 *   https://github.com/PaystackOSS/openapi (requests, the answer of a transfer, `duplicate_reference` and what it advises)
 *   https://github.com/PaystackOSS/doc-code-snippets (shapes, `bank.transfer.rejected`)
 *   https://docs-v2.paystack.com/api/errors/transaction (the least amount, references)
 *   https://support.paystack.com/en/articles/2128642 (what is sent back)
 * The band of expiries was read in a copy of Paystack's page on payment channels.
 *
 * A reference has one transaction for ever: a second request to open one is refused with `duplicate_reference`, and nothing
 * else is opened. Paystack advises another reference then. That is not done here: the first may have been shown to a payer.
 */

/** Another amount, and money after the expiry, goes back to the payer without anybody's asking. */
export const ONE_TIME_TERMS: OneTimeTerms = {
  otherAmounts: 'REFUSES',
  minExpiryMs: 15 * MINUTE_MS,
  maxExpiryMs: 8 * 60 * MINUTE_MS,
};

const CHANNELS: Readonly<Record<PaymentChannel, string>> = {
  BANK_TRANSFER: 'bank_transfer',
  CARD: 'card',
  USSD: 'ussd',
};

/** Where its pages are: checkout.paystack.com. */
const DOMAINS = ['paystack.com'];

/** Paystack documents the conditions and no texts: they go by meaning. */
const REFUSALS: readonly Refusal[] = [
  {
    statuses: [400],
    message: /amount.*(invalid|minimum|maximum|less than|greater than|limit)|(minimum|maximum|invalid).*amount/i,
    reason: 'AMOUNT_INVALID',
    meaning: 'Paystack does not take this amount: the least for a transfer is NGN 100',
  },
  {
    statuses: [400],
    message: /e-?mail.*(required|invalid|not valid|missing)|invalid e-?mail/i,
    reason: 'PAYER_DETAILS_INVALID',
    meaning: "Paystack does not accept the payer's e-mail address",
  },
  {
    statuses: [400, 403],
    message: /(channel|transfer|bank_transfer).*not (available|enabled|active|permitted|allowed)|no active channel/i,
    reason: 'CHANNEL_NOT_PERMITTED',
    meaning: 'Paystack has not enabled this way to pay for the business',
  },
];

const REFUSED: WalletReading = { reason: 'RAIL_REFUSED', message: 'Paystack did not take the charge' };
const NO_ACCOUNT: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'Paystack shows no account to which a payer could transfer',
};
const NO_PAGE: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'Paystack shows no address of a page of its own',
};

/**
 * POST /charge with `bank_transfer`. Where the reference has a charge already, GET /charge/:reference: it is Paystack's
 * question after an answer that was lost, and what it shows is the first account. Nothing documents that it shows the number
 * again: where it does not, that number is lost, and so is the reference.
 */
export async function openOneTimeAccount(
  context: PaystackContext,
  request: OpenOneTimeRequest,
  signal: AbortSignal,
): Promise<OpenOneTimeAnswer> {
  requireMode(request.tenant, context.mode);
  const { reference, payer, amountMinor, expiresAt } = request;
  const body = {
    email: payer.email,
    amount: wireAmount(amountMinor),
    reference,
    bank_transfer: { account_expires_at: expiresAt.toISOString() },
  };
  const got = readBody(await context.http.request({ method: 'POST', path: '/charge', body, signal }));
  if (!isDuplicate(got)) return answerOfCharge(context, request, got) ?? notOpened(context, got);
  const path = `/charge/${encodeURIComponent(reference)}`;
  const shown = readBody(await context.http.request({ method: 'GET', path, signal }));
  const first = answerOfCharge(context, request, shown);
  return first?.outcome === 'opened' || first?.outcome === 'pending' ? first : openedBefore(context, got);
}

/** Undefined where Paystack shows no charge. */
function answerOfCharge(
  { clock }: PaystackContext,
  { reference, amountMinor }: OpenOneTimeRequest,
  { isSuccess, data, code }: Got,
): OpenOneTimeAnswer | undefined {
  if (!isSuccess || data === undefined) return undefined;
  const at = clock.now();
  if (data['reference'] !== reference) return { outcome: 'unknown', ...saidOf(ANOTHER_OPENING, code, at) };
  const status = textOf(data['status']);
  if (status === 'pending') return { outcome: 'pending', ...saidOf(ASSIGNING, status, at) };
  if (status === 'failed') return { outcome: 'refused', ...saidOf(REFUSED, status, at) };
  const accountNumber = accountNumberOf(data['account_number']);
  const bankName = factOf(fieldsOf(data['bank'])?.['name']);
  const accountName = factOf(data['account_name']);
  if (status !== 'pending_bank_transfer' || accountNumber === null || bankName === null || accountName === null) {
    return { outcome: 'unknown', ...saidOf(NO_ACCOUNT, status || code, at) };
  }
  return {
    outcome: 'opened',
    accounts: [{ bankCode: null, bankName, accountNumber, accountName }],
    providerReference: reference,
    expiresAt: instantOf(data['account_expires_at']),
    payableMinor: amountMinor,
    ussdCode: null,
    ...saidOf(OPENED, status, at),
  };
}

/**
 * POST /transaction/initialize. Its answer alone has the address: a query of the transaction shows neither that nor the access
 * code, so the page of an answer that was lost is lost. The transaction is there and can be asked about by our reference.
 */
export async function openPage(
  context: PaystackContext,
  request: OpenPageRequest,
  signal: AbortSignal,
): Promise<OpenPageAnswer> {
  requireMode(request.tenant, context.mode);
  const { reference, payer, amountMinor, returnUrl, channels, description } = request;
  const body = {
    email: payer.email,
    amount: wireAmount(amountMinor),
    currency: 'NGN',
    reference,
    callback_url: returnUrl,
    channels: channels.map((channel) => CHANNELS[channel]),
    metadata: { ...PAGE_METADATA, description },
  };
  const path = '/transaction/initialize';
  const got = readBody(await context.http.request({ method: 'POST', path, body, signal }));
  if (isDuplicate(got)) return openedBefore(context, got);
  const { data } = got;
  if (!got.isSuccess || data === undefined) return notOpened(context, got);
  const at = context.clock.now();
  if (data['reference'] !== reference) return { outcome: 'unknown', ...saidOf(ANOTHER_OPENING, got.code, at) };
  const url = pageAddressOf(data['authorization_url'], DOMAINS);
  const providerReference = factOf(data['access_code']);
  return url === null || providerReference === null
    ? { outcome: 'unknown', ...saidOf(NO_PAGE, got.code, at) }
    : { outcome: 'opened', url, providerReference, expiresAt: null, ...saidOf(OPENED, got.code, at) };
}

function isDuplicate({ isRefusal, status, code, message }: Got): boolean {
  const says = code === 'duplicate_reference' || /^Duplicate Transaction Reference/i.test(message);
  return isRefusal && status === 400 && says;
}

function openedBefore({ clock }: PaystackContext, { code }: Got): NotOpened {
  return { outcome: 'unknown', ...saidOf(OPENED_BEFORE, code, clock.now()) };
}

function notOpened({ clock }: PaystackContext, got: Got): NotOpened {
  const refusal = listedRefusal(got, REFUSALS);
  return refusal === undefined
    ? { outcome: 'unknown', ...saidOf(whyUnknown(got), got.code, clock.now()) }
    : { outcome: 'refused', ...saidOf(refusal, got.code, clock.now()) };
}
