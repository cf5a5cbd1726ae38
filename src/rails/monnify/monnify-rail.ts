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
import { createMonnifyWallets } from './monnify-wallets.ts';
import { createMonnifySession, type MonnifyCredentials, type MonnifySession, monnifyMode } from './session.ts';
import {
  isAboutTheTransfer,
  MONNIFY_BANK_CODES,
  type MonnifyEnvelope,
  type MonnifyTransfer,
  openEnvelope,
  readRefusal,
  readStatus,
  readUnusable,
  toTransfer,
} from './transfers.ts';
import { readMonnifyWebhook } from './webhooks.ts';

const BASE_URLS: Record<Mode, string> = { SANDBOX: 'https://sandbox.monnify.com', LIVE: 'https://api.monnify.com' };
/** Longer than the two minutes in which Monnify refuses the same amount to the same account (D07). */
const NOT_FOUND_AFTER_MS = 150_000;

interface MonnifyRailDeps {
  credentials: MonnifyCredentials;
  /** Default: the provider's own, of sandbox or live as the key says. */
  baseUrl?: string | undefined;
  /** The account's name at the operator. */
  name?: string | undefined;
  clock: Clock;
}

interface Context {
  session: MonnifySession;
  clock: Clock;
  mode: Mode;
  walletAccountNumber: string;
  banks: BankNumbering;
}

type Found = { transfer: MonnifyTransfer } | 'ABSENT' | { unread: ProviderAnswer };

/**
 * Disbursements from a Monnify wallet: POST /api/v2/disbursements/single, GET /api/v2/disbursements/single/summary,
 * GET /api/v1/disbursements/account/validate, GET /api/v2/disbursements/wallet-balance, webhooks *_DISBURSEMENT.
 * Amounts are decimal naira. The send waits for the end of the transfer. What each answer means, and its sources:
 * transfers.ts. The beneficiary's name has to be the one of the name enquiry since March 2026:
 * https://developers.monnify.com/blog/changes-to-monnify-disbursement
 *
 * To be arranged with Monnify: transfers switched on, this server's address allowed, two-factor authentication of API
 * transfers off.
 */
export function createMonnifyRail(deps: MonnifyRailDeps): Rail {
  const { credentials, clock } = deps;
  const mode = monnifyMode(credentials);
  const http = createProviderHttp({ baseUrl: deps.baseUrl ?? BASE_URLS[mode] });
  const context: Context = {
    session: createMonnifySession(http, credentials, clock),
    clock,
    mode,
    walletAccountNumber: credentials.walletAccountNumber,
    banks: bankNumbering({ ...MONNIFY_BANK_CODES, ...credentials.bankCodes }),
  };
  const { contractCode } = credentials;
  return {
    name: deps.name ?? 'monnify',
    notFoundAfterMs: NOT_FOUND_AFTER_MS,
    ...(contractCode !== undefined && {
      wallets: createMonnifyWallets({ ...context, secretKey: credentials.secretKey, contractCode }),
    }),
    async nameEnquiry(request, signal) {
      requireMode(request.tenant, mode);
      return enquire(context, request, signal);
    },
    async send(request, signal) {
      requireMode(request.tenant, mode);
      requireNaira(request.currency);
      signal.throwIfAborted();
      return send(context, request, signal);
    },
    async query(request, signal) {
      requireMode(request.tenant, mode);
      return query(context, request.railReference, signal);
    },
    async verifyWebhook(request) {
      return readMonnifyWebhook({ ...credentials, ...context }, request);
    },
    async balance(tenant, signal) {
      requireMode(tenant, mode);
      return balance(context, signal);
    },
  };
}

async function enquire(
  { session, clock, banks }: Context,
  request: NameEnquiryRequest,
  signal: AbortSignal,
): Promise<NameEnquiryAnswer> {
  const answer = await session.request({
    method: 'GET',
    path: '/api/v1/disbursements/account/validate',
    query: { accountNumber: request.accountNumber, bankCode: banks.theirs(request.bankCode) },
    signal,
  });
  const at = clock.now();
  const envelope = openEnvelope(answer);
  const code = codeOf(answer, envelope);
  const data = fieldsOf(envelope.data);
  const accountName = textOf(data?.['accountName']).trim();
  if (accountName !== '') {
    const reported = { ...NOTHING_REPORTED, accountNumber: expected(textOf(data?.['accountNumber'])) };
    return { outcome: 'found', accountName, code, reason: null, message: 'Account found', at, reported };
  }
  const reported = NOTHING_REPORTED;
  if (saysNoSuchAccount(answer, envelope)) {
    const message = shortened(envelope.message);
    return { outcome: 'not_found', accountName: null, code, reason: 'ACCOUNT_INVALID', message, at, reported };
  }
  const { reason, message } = readUnusable(answer).reading;
  return { outcome: 'unknown', accountName: null, code, reason, message: shortened(message), at, reported };
}

/** Documented for this call as HTTP 404 and code 99; the same code is any other trouble too, so the text decides. */
function saysNoSuchAccount({ status }: ProviderAnswer, { refused, message }: MonnifyEnvelope): boolean {
  return refused && (status === 400 || status === 404) && /account|bank code/i.test(message);
}

async function send(context: Context, request: SendRequest, signal: AbortSignal): Promise<RailAnswer> {
  const answer = await context.session.request({
    method: 'POST',
    path: '/api/v2/disbursements/single',
    body: {
      amount: toJsonDecimal(request.amountMinor),
      reference: request.railReference,
      narration: narrationOf(request.narration),
      destinationBankCode: context.banks.theirs(request.bankCode),
      destinationAccountNumber: request.accountNumber,
      destinationAccountName: request.accountName,
      currency: request.currency,
      sourceAccountNumber: context.walletAccountNumber,
    },
    signal,
  });
  const envelope = openEnvelope(answer);
  const made = toTransfer(envelope.data, context.banks);
  if (made?.status === 'FAILED' && made.description === '') return explained(context, request, made, signal);
  if (made !== undefined) return answerOfTransfer(context, made);
  const isRefusal = envelope.refused && answer.status < 500 && isAboutTheTransfer(envelope.code);
  if (!isRefusal) return unusable(context, answer);
  return settleRefusal(context, request, envelope, signal);
}

/**
 * FAILED without a reason, as the answer to a send has it: among the reasons are some that leave the end open, so the
 * summary, which gives them, is asked before the failure is believed.
 */
async function explained(
  context: Context,
  request: SendRequest,
  made: MonnifyTransfer,
  signal: AbortSignal,
): Promise<RailAnswer> {
  const found = await find(context, request.railReference, signal).catch(() => undefined);
  if (found !== undefined && found !== 'ABSENT' && 'transfer' in found) {
    return answerOfTransfer(context, found.transfer);
  }
  const reading = unknown('RAIL_FAILURE_UNCLEAR', 'Monnify says that the transfer failed, but not why');
  return answerOf(reading, made.status, made.sessionId, context.clock.now(), made.reported);
}

/**
 * Refused: because the reference is known (then its transfer is the answer), or because of what was asked. Only the
 * provider's books distinguish the two, and only what they do not have was definitely not made.
 */
async function settleRefusal(
  context: Context,
  request: SendRequest,
  { code, message }: MonnifyEnvelope,
  signal: AbortSignal,
): Promise<RailAnswer> {
  const at = context.clock.now();
  // Whatever this query throws, the send itself has left.
  const found = await find(context, request.railReference, signal).catch(() => undefined);
  if (found === 'ABSENT') return answerOf(readRefusal(code, message), code, null, at);
  if (found !== undefined && 'transfer' in found) return answerOfTransfer(context, found.transfer);
  return answerOf(unknown('RAIL_REFUSAL_UNCONFIRMED', message), code, null, at);
}

function answerOfTransfer({ clock }: Context, transfer: MonnifyTransfer): RailAnswer {
  const { status, description, sessionId, reported } = transfer;
  return answerOf(readStatus(status, description), status, sessionId, clock.now(), reported);
}

function unusable({ clock }: Context, answer: ProviderAnswer): RailAnswer {
  const { reading, code } = readUnusable(answer);
  return answerOf(reading, code, null, clock.now());
}

function codeOf(answer: ProviderAnswer, envelope: MonnifyEnvelope): string {
  return envelope.code === '' ? `HTTP_${answer.status}` : envelope.code;
}

async function query(context: Context, railReference: string, signal: AbortSignal): Promise<RailAnswer> {
  const found = await find(context, railReference, signal);
  const at = context.clock.now();
  if (found === 'ABSENT') {
    const reason = 'RAIL_RECORD_NOT_FOUND';
    return answerOf({ outcome: 'not_found', reason, message: 'No such transfer' }, 'D02', null, at);
  }
  return 'unread' in found ? unusable(context, found.unread) : answerOfTransfer(context, found.transfer);
}

async function find({ session, banks }: Context, railReference: string, signal: AbortSignal): Promise<Found> {
  const answer = await session.request({
    method: 'GET',
    path: '/api/v2/disbursements/single/summary',
    query: { reference: railReference },
    signal,
  });
  const envelope = openEnvelope(answer);
  if (saysNoSuchTransfer(answer, envelope)) return 'ABSENT';
  const transfer = toTransfer(envelope.data, banks);
  return transfer === undefined ? { unread: answer } : { transfer };
}

/** Only in Monnify's own words: a 404 of a proxy, or of a path that moved, is not "no such transfer". */
function saysNoSuchTransfer({ status }: ProviderAnswer, { refused, code, message }: MonnifyEnvelope): boolean {
  const isAnswered = status === 200 || status === 400 || status === 404;
  return refused && isAnswered && (code === 'D02' || /^could not find disbursement/i.test(message));
}

async function balance({ session, walletAccountNumber }: Context, signal: AbortSignal): Promise<RailBalance> {
  const answer = await session.request({
    method: 'GET',
    path: '/api/v2/disbursements/wallet-balance',
    query: { accountNumber: walletAccountNumber },
    signal,
  });
  const data = fieldsOf(openEnvelope(answer).data);
  const availableMinor = fromDecimalDown(data?.['availableBalance']);
  if (availableMinor === null) {
    const { reading, code } = readUnusable(answer);
    throw new UnusableAnswerError(reading, code);
  }
  return { currency: 'NGN', availableMinor };
}
