import { type Static, Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Mode } from '../../platform/tenant.ts';
import { createProviderHttp } from '../http.ts';
import {
  type NameEnquiryAnswer,
  type NameEnquiryRequest,
  NotSentError,
  type Rail,
  type RailAnswer,
  type RailBalance,
  type SendRequest,
  UnusableAnswerError,
} from '../port.ts';
import {
  answerOf,
  type BankNumbering,
  bankNumbering,
  expected,
  fieldsOf,
  narrationOf,
  type ProviderReading,
  requireMode,
  requireNaira,
  textOf,
  unknown,
} from '../provider-answers.ts';
import { NOTHING_REPORTED } from '../reported.ts';
import { type Got, type PaystackContext, readBody } from './answers.ts';
import { createPaystackWallets } from './paystack-wallets.ts';
import {
  DUPLICATE_REFERENCE,
  PAYSTACK_BANK_CODES,
  readHttpStatus,
  readRefusal,
  readStatus,
  reportedOf,
  sessionIdOf,
  wireAmount,
} from './transfers.ts';
import { readPaystackWebhook } from './webhooks.ts';

/**
 * What the operator copies from Paystack's dashboard (Settings, API Keys & Webhooks). The key's prefix says whether it is
 * a test key; it signs the provider webhooks too.
 */
export const PaystackCredentials = Type.Object(
  {
    secretKey: Type.String({ pattern: '^sk_(test|live)_[A-Za-z0-9]{8,200}$' }),
    /** Ours -> the provider's, ahead of the built-in table. */
    bankCodes: Type.Optional(
      Type.Record(Type.String({ pattern: '^\\d{3,6}$' }), Type.String({ pattern: '^\\w{2,10}$' })),
    ),
  },
  { additionalProperties: false },
);
export type PaystackCredentials = Static<typeof PaystackCredentials>;

export interface PaystackRailDeps {
  credentials: PaystackCredentials;
  /** Paystack's own unless given; another one is a stand-in. */
  baseUrl?: string | undefined;
  /** Of the rail account; it is what a payout keeps. */
  name?: string | undefined;
  clock: Clock;
}

const BASE_URL = 'https://api.paystack.co';
/** A query may find nothing while a transfer is still being validated; it is not sent again before this. */
const NOT_FOUND_AFTER_MS = 5 * 60_000;
/** A part of the time that a send has: when it passes here, it is certain that no transfer was asked for. */
const RECIPIENT_TIMEOUT_MS = 10_000;
/** What Paystack takes as a reference: https://paystack.com/docs/transfers/single-transfers/ */
const REFERENCE = /^[a-z0-9_-]{16,50}$/;

/** The mode that a key is for: Paystack's test keys pay nobody. */
export function paystackMode({ secretKey }: PaystackCredentials): Mode {
  return secretKey.startsWith('sk_live_') ? 'LIVE' : 'SANDBOX';
}

interface Context extends PaystackContext {
  banks: BankNumbering;
}

/**
 * Transfers of Paystack (https://paystack.com/docs/transfers/single-transfers/, https://paystack.com/docs/api/transfer/,
 * read in November 2026; unversioned). A send makes a recipient, which moves nothing, and then asks for the transfer with
 * our reference, under which Paystack makes one transfer at most. Amounts are whole kobo. Transfer confirmation by OTP
 * has to be switched off in Paystack's dashboard.
 */
export function createPaystackRail(deps: PaystackRailDeps): Rail {
  const { credentials, clock } = deps;
  const { secretKey, bankCodes = {} } = credentials;
  const http = createProviderHttp({
    baseUrl: deps.baseUrl ?? BASE_URL,
    headers: { authorization: `Bearer ${secretKey}` },
  });
  const banks = bankNumbering({ ...PAYSTACK_BANK_CODES, ...bankCodes });
  const context: Context = { http, clock, secretKey, mode: paystackMode(credentials), banks };
  return {
    name: deps.name ?? 'paystack',
    notFoundAfterMs: NOT_FOUND_AFTER_MS,
    nameEnquiry: (request, signal) => resolveName(context, request, signal),
    send: (request, signal) => send(context, request, signal),
    query: async (request, signal) => (await query(context, request.railReference, signal)).answer,
    verifyWebhook: async (request) => readPaystackWebhook(context, request),
    balance: (_tenant, signal) => balance(context, signal),
    wallets: createPaystackWallets(context),
  };
}

/**
 * GET /bank/resolve (https://paystack.com/docs/identity-verification/verify-account-number/). 422 is its answer to an
 * account that the bank does not have, 404 the documented one.
 */
async function resolveName(
  { http, clock, ...context }: Context,
  request: NameEnquiryRequest,
  signal: AbortSignal,
): Promise<NameEnquiryAnswer> {
  const params = { account_number: request.accountNumber, bank_code: context.banks.theirs(request.bankCode) };
  const got = readBody(await http.request({ method: 'GET', path: '/bank/resolve', query: params, signal }));
  const accountName = textOf(got.data?.['account_name']).trim();
  const answer = (outcome: NameEnquiryAnswer['outcome'], reading: Omit<ProviderReading, 'outcome'>) => ({
    outcome,
    accountName: outcome === 'found' ? accountName : null,
    code: got.code,
    reason: reading.reason,
    message: reading.message,
    at: clock.now(),
    reported:
      got.data === undefined
        ? NOTHING_REPORTED
        : { ...NOTHING_REPORTED, accountNumber: expected(textOf(got.data['account_number'])) },
  });
  if (got.isSuccess && accountName !== '') return answer('found', { reason: null, message: 'Found' });
  if (got.isRefusal && got.code === 'invalid_bank_code') {
    return answer('not_found', { reason: 'BANK_CODE_UNKNOWN', message: 'Paystack does not know the bank' });
  }
  if (got.isRefusal && (got.status === 422 || got.status === 404)) {
    return answer('not_found', { reason: 'ACCOUNT_INVALID', message: 'The bank does not have this account' });
  }
  return answer('unknown', readHttpStatus(got.status));
}

async function send(context: Context, request: SendRequest, signal: AbortSignal): Promise<RailAnswer> {
  signal.throwIfAborted();
  requireNaira(request.currency);
  requireMode(request.tenant, context.mode);
  if (!REFERENCE.test(request.railReference)) {
    throw new NotSentError('The reference is not one that Paystack takes', {
      reason: 'REFERENCE_INVALID',
      answered: true,
    });
  }
  const recipient = await makeRecipient(context, request, signal);
  if ('refusal' in recipient) return provenRefusal(context, request, recipient, signal);

  const body = {
    source: 'balance',
    amount: wireAmount(request.amountMinor),
    currency: request.currency,
    recipient: recipient.code,
    reference: request.railReference,
    reason: narrationOf(request.narration),
  };
  const got = readBody(await context.http.request({ method: 'POST', path: '/transfer', body, signal }));
  if (got.isSuccess && got.data !== undefined) return transferAnswer(context, got.data, got.code);
  if (got.isRefusal && got.status === 400) {
    if (got.code === DUPLICATE_REFERENCE) return firstOfDuplicate(context, request.railReference, signal);
    const refusal = readRefusal(got.code, got.message);
    if (refusal !== undefined) return provenRefusal(context, request, { refusal, code: got.code }, signal);
  }
  return answerOf(readHttpStatus(got.status), got.code, null, context.clock.now());
}

type Recipient = { code: string } | { refusal: ProviderReading; code: string };

/**
 * POST /transferrecipient. The same account gives the same recipient, and no money moves by it.
 * @throws NotSentError for everything but a recipient and a listed refusal of the beneficiary
 */
async function makeRecipient(context: Context, request: SendRequest, signal: AbortSignal): Promise<Recipient> {
  const body = {
    type: 'nuban',
    name: request.accountName,
    account_number: request.accountNumber,
    bank_code: context.banks.theirs(request.bankCode),
    currency: request.currency,
  };
  const limited = AbortSignal.any([signal, AbortSignal.timeout(RECIPIENT_TIMEOUT_MS)]);
  let got: Got;
  try {
    got = readBody(await context.http.request({ method: 'POST', path: '/transferrecipient', body, signal: limited }));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NotSentError) throw error;
    throw new NotSentError('Paystack did not answer when asked to note the recipient', {
      reason: 'RAIL_UNREACHABLE',
      cause: error,
    });
  }
  // Paystack's answer came, but the caller that waits for the transfer has gone: the transfer must not be sent any
  // more.
  signal.throwIfAborted();
  const code = textOf(got.data?.['recipient_code']);
  if (got.isSuccess && code !== '') return { code };
  const refusal = got.isRefusal && got.status === 400 ? readRefusal(got.code, got.message) : undefined;
  if (refusal !== undefined) return { refusal, code: got.code };
  const { reason, message } = readHttpStatus(got.status);
  throw new NotSentError(`${message}, when asked to note the recipient`, {
    reason: reason ?? 'RAIL_NOT_ASKED',
    code: got.code,
    answered: got.isRefusal && got.status < 500,
  });
}

/**
 * A listed refusal says that this request made nothing. An earlier one under the same reference, whose answer was lost,
 * may have: only where Paystack knows no transfer of ours is the payout failed.
 */
async function provenRefusal(
  context: Context,
  request: SendRequest,
  { refusal, code }: { refusal: ProviderReading; code: string },
  signal: AbortSignal,
): Promise<RailAnswer> {
  const asked = await tryQuery(context, request.railReference, signal);
  const at = context.clock.now();
  if (asked?.answer.outcome === 'not_found') return answerOf(refusal, code, null, at);
  return asked?.isTransfer === true ? asked.answer : answerOf({ ...refusal, outcome: 'unknown' }, code, null, at);
}

/** The reference was used before: by an earlier send of this payout, whose outcome the query returns, or by something else. */
async function firstOfDuplicate(context: Context, railReference: string, signal: AbortSignal): Promise<RailAnswer> {
  const asked = await tryQuery(context, railReference, signal);
  if (asked?.isTransfer === true) return asked.answer;
  const reading = unknown('RAIL_DUPLICATE', 'Paystack has this reference already');
  return answerOf(reading, DUPLICATE_REFERENCE, null, context.clock.now());
}

async function tryQuery(context: Context, railReference: string, signal: AbortSignal) {
  try {
    return await query(context, railReference, signal);
  } catch {
    return undefined;
  }
}

interface Asked {
  answer: RailAnswer;
  /** Paystack has a transfer under this reference, and the answer is what became of it. */
  isTransfer: boolean;
}

/** GET /transfer/verify/:reference (https://paystack.com/docs/api/transfer/#verify). */
async function query(context: Context, railReference: string, signal: AbortSignal): Promise<Asked> {
  const path = `/transfer/verify/${encodeURIComponent(railReference)}`;
  const got = readBody(await context.http.request({ method: 'GET', path, signal }));
  if (got.isSuccess && got.data !== undefined) {
    return { answer: transferAnswer(context, got.data, got.code), isTransfer: true };
  }
  const at = context.clock.now();
  if (got.isRefusal && got.status === 404 && /^Transfer not found/i.test(got.message)) {
    const reading: ProviderReading = {
      outcome: 'not_found',
      reason: 'RAIL_RECORD_NOT_FOUND',
      message: 'Paystack has no transfer under this reference',
    };
    return { answer: answerOf(reading, got.code, null, at), isTransfer: false };
  }
  return { answer: answerOf(readHttpStatus(got.status), got.code, null, at), isTransfer: false };
}

/** GET /balance (https://paystack.com/docs/api/transfer-control/#balance): whole kobo, one line a currency. */
async function balance({ http }: Context, signal: AbortSignal): Promise<RailBalance> {
  const got = await http.request({ method: 'GET', path: '/balance', signal });
  const body = fieldsOf(got.body);
  const lines = got.status === 200 && body?.['status'] === true && Array.isArray(body['data']) ? body['data'] : [];
  const line = lines.map(fieldsOf).find((each) => each?.['currency'] === 'NGN');
  const available = line?.['balance'];
  if (typeof available !== 'number' || !Number.isSafeInteger(available)) {
    throw new UnusableAnswerError(readHttpStatus(got.status), `HTTP ${got.status}`);
  }
  return { currency: 'NGN', availableMinor: BigInt(available) };
}

function transferAnswer({ clock, banks }: Context, data: Record<string, unknown>, code: string): RailAnswer {
  const status = textOf(data['status']);
  return answerOf(readStatus(status), status || code, sessionIdOf(data), clock.now(), reportedOf(data, banks));
}
