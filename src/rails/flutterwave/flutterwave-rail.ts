import { type Static, Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Mode } from '../../platform/tenant.ts';
import { fromDecimalDown, toJsonDecimal } from '../decimal-amount.ts';
import { createProviderHttp, type ProviderAnswer } from '../http.ts';
import {
  type NameEnquiryAnswer,
  type NameEnquiryRequest,
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
  requireMode,
  requireNaira,
  shortened,
  textOf,
  unknown,
} from '../provider-answers.ts';
import { NOTHING_REPORTED } from '../reported.ts';
import { createFlutterwaveWallets } from './flutterwave-wallets.ts';
import {
  dataOf,
  FLUTTERWAVE_BANK_CODES,
  type FlutterwaveTransfer,
  readHttpStatus,
  readRefusal,
  readTransfer,
  refusalOf,
  saysNoSuchAccount,
  toTransfer,
} from './transfers.ts';
import type { FlutterwaveContext } from './virtual-accounts.ts';
import { readFlutterwaveWebhook } from './webhooks.ts';

/**
 * What the operator copies from the provider's dashboard: the secret key (Settings, API keys) and the secret hash
 * (Settings, Webhooks). The key's prefix says whether it is a test key.
 */
export const FlutterwaveCredentials = Type.Object(
  {
    secretKey: Type.String({ pattern: '^FLWSECK(_TEST)?-\\S{10,200}$' }),
    secretHash: Type.String({ minLength: 16, maxLength: 200 }),
    /** Ours -> the provider's, ahead of the built-in table. */
    bankCodes: Type.Optional(
      Type.Record(Type.String({ pattern: '^\\d{3,6}$' }), Type.String({ pattern: '^\\w{2,10}$' }), {
        additionalProperties: false,
      }),
    ),
  },
  { additionalProperties: false },
);

export type FlutterwaveCredentials = Static<typeof FlutterwaveCredentials>;

/** The mode that a key is for: a test key of Flutterwave pays nobody. */
export function flutterwaveMode({ secretKey }: FlutterwaveCredentials): Mode {
  return secretKey.startsWith('FLWSECK_TEST-') ? 'SANDBOX' : 'LIVE';
}

const BASE_URL = 'https://api.flutterwave.com';
/** A transfer is listed as soon as it was taken. Twice the usual minute, because nothing promises that. */
const NOT_FOUND_AFTER_MS = 120_000;
/** A provider webhook's query: Flutterwave waits a minute for our answer to its provider webhook. */
const WEBHOOK_QUERY_TIMEOUT_MS = 10_000;

interface FlutterwaveRailDeps {
  credentials: FlutterwaveCredentials;
  /** Default: the provider's own. Test and live keys share it. */
  baseUrl?: string | undefined;
  /** The account's name at the operator. */
  name?: string | undefined;
  clock: Clock;
}

interface Context extends FlutterwaveContext {
  banks: BankNumbering;
}

/** What the provider's list says of a reference. */
type Found = { transfer: FlutterwaveTransfer } | 'ABSENT' | { unread: ProviderAnswer };

/**
 * Transfers from a Flutterwave balance, API version 3: POST /v3/transfers, GET /v3/transfers?reference=,
 * POST /v3/accounts/resolve, GET /v3/balances/NGN, webhook `transfer.completed`. Amounts are decimal naira. A transfer
 * is only queued by the send; its end comes by query or provider webhook. What each answer means, and its sources: transfers.ts.
 *
 * Dashboard: transfers by API switched on, this server's address allowed, approval of API transfers off.
 */
export function createFlutterwaveRail(deps: FlutterwaveRailDeps): Rail {
  const { credentials, clock } = deps;
  const context: Context = {
    http: createProviderHttp({
      baseUrl: deps.baseUrl ?? BASE_URL,
      headers: { authorization: `Bearer ${credentials.secretKey}` },
    }),
    clock,
    mode: flutterwaveMode(credentials),
    banks: bankNumbering({ ...FLUTTERWAVE_BANK_CODES, ...credentials.bankCodes }),
  };
  return {
    name: deps.name ?? 'flutterwave',
    notFoundAfterMs: NOT_FOUND_AFTER_MS,
    async nameEnquiry(request, signal) {
      requireMode(request.tenant, context.mode);
      return enquire(context, request, signal);
    },
    async send(request, signal) {
      requireMode(request.tenant, context.mode);
      requireNaira(request.currency);
      signal.throwIfAborted();
      return send(context, request, signal);
    },
    async query(request, signal) {
      requireMode(request.tenant, context.mode);
      return query(context, request.railReference, signal);
    },
    verifyWebhook: (request) =>
      readFlutterwaveWebhook(credentials.secretHash, request, {
        ask: (railReference) => query(context, railReference, AbortSignal.timeout(WEBHOOK_QUERY_TIMEOUT_MS)),
        ...context,
      }),
    async balance(tenant, signal) {
      requireMode(tenant, context.mode);
      return balance(context, signal);
    },
    wallets: createFlutterwaveWallets({ ...context, secretHash: credentials.secretHash }),
  };
}

async function enquire(
  { http, clock, banks }: Context,
  request: NameEnquiryRequest,
  signal: AbortSignal,
): Promise<NameEnquiryAnswer> {
  const answer = await http.request({
    method: 'POST',
    path: '/v3/accounts/resolve',
    body: { account_number: request.accountNumber, account_bank: banks.theirs(request.bankCode) },
    signal,
  });
  const at = clock.now();
  const code = `HTTP_${answer.status}`;
  const data = fieldsOf(dataOf(answer));
  const accountName = textOf(data?.['account_name']).trim();
  if (accountName !== '') {
    const reported = { ...NOTHING_REPORTED, accountNumber: expected(textOf(data?.['account_number'])) };
    return { outcome: 'found', accountName, code, reason: null, message: 'Account found', at, reported };
  }
  const reported = NOTHING_REPORTED;
  const message = refusalOf(answer);
  if (message !== undefined && saysNoSuchAccount(answer.status, message)) {
    const reason = 'ACCOUNT_INVALID';
    return { outcome: 'not_found', accountName: null, code, reason, message: shortened(message), at, reported };
  }
  const { reason, message: why } = readHttpStatus(answer.status);
  return { outcome: 'unknown', accountName: null, code, reason, message: shortened(message ?? why), at, reported };
}

async function send(context: Context, request: SendRequest, signal: AbortSignal): Promise<RailAnswer> {
  const answer = await context.http.request({
    method: 'POST',
    path: '/v3/transfers',
    body: {
      account_bank: context.banks.theirs(request.bankCode),
      account_number: request.accountNumber,
      amount: toJsonDecimal(request.amountMinor),
      currency: request.currency,
      debit_currency: request.currency,
      beneficiary_name: request.accountName,
      narration: narrationOf(request.narration),
      reference: request.railReference,
    },
    signal,
  });
  const made = toTransfer(dataOf(answer), context.banks);
  if (made !== undefined) return answerOfTransfer(context, made);
  const message = refusalOf(answer);
  if (message === undefined || !isAboutTheTransfer(answer.status)) return unusable(context, answer);
  return settleRefusal(context, request, { status: answer.status, message }, signal);
}

/** Not where the key, the address or the pace were refused: then nobody looked at the transfer. */
function isAboutTheTransfer(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
}

/**
 * Refused: because the reference is known (then its transfer is the answer), or because of what was asked. Only the
 * provider's list distinguishes the two, and only what it does not have was definitely not made.
 */
async function settleRefusal(
  context: Context,
  request: SendRequest,
  refusal: { status: number; message: string },
  signal: AbortSignal,
): Promise<RailAnswer> {
  const code = `HTTP_${refusal.status}`;
  const at = context.clock.now();
  // Whatever this query throws, the send itself has left.
  const found = await find(context, request.railReference, signal).catch(() => undefined);
  if (found === 'ABSENT') return answerOf(readRefusal(refusal.status, refusal.message), code, null, at);
  if (found !== undefined && 'transfer' in found) return answerOfTransfer(context, found.transfer);
  return answerOf(unknown('RAIL_REFUSAL_UNCONFIRMED', refusal.message), code, null, at);
}

function answerOfTransfer({ clock }: Context, transfer: FlutterwaveTransfer): RailAnswer {
  return answerOf(readTransfer(transfer), transfer.status, transfer.id, clock.now(), transfer.reported);
}

function unusable({ clock }: Context, answer: ProviderAnswer): RailAnswer {
  return answerOf(readHttpStatus(answer.status), `HTTP_${answer.status}`, null, clock.now());
}

async function query(context: Context, railReference: string, signal: AbortSignal): Promise<RailAnswer> {
  const found = await find(context, railReference, signal);
  const at = context.clock.now();
  if (found === 'ABSENT') {
    const reason = 'RAIL_RECORD_NOT_FOUND';
    return answerOf({ outcome: 'not_found', reason, message: 'No such transfer' }, 'EMPTY', null, at);
  }
  return 'unread' in found ? unusable(context, found.unread) : answerOfTransfer(context, found.transfer);
}

/** A list that leaves the filter aside, or names the reference twice, says nothing. */
async function find({ http, banks }: Context, railReference: string, signal: AbortSignal): Promise<Found> {
  const answer = await http.request({
    method: 'GET',
    path: '/v3/transfers',
    query: { reference: railReference },
    signal,
  });
  const list = dataOf(answer);
  if (!Array.isArray(list)) return { unread: answer };
  if (list.length === 0) return 'ABSENT';
  const shown = list.map((one) => toTransfer(one, banks));
  const ours = shown.filter((transfer) => transfer?.reference === railReference);
  // Alone in the answer it is what Flutterwave has under our reference, whatever it is.
  const [transfer] = shown.length === 1 ? shown : ours;
  return transfer === undefined || ours.length > 1 ? { unread: answer } : { transfer };
}

async function balance({ http }: Context, signal: AbortSignal): Promise<RailBalance> {
  const answer = await http.request({ method: 'GET', path: '/v3/balances/NGN', signal });
  const data = fieldsOf(dataOf(answer));
  const currency = textOf(data?.['currency']);
  const availableMinor = fromDecimalDown(data?.['available_balance']);
  if (currency === '' || availableMinor === null) {
    throw new UnusableAnswerError(readHttpStatus(answer.status), `HTTP_${answer.status}`);
  }
  return { currency, availableMinor };
}
