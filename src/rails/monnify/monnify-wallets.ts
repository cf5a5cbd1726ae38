import type { Clock } from '../../platform/clock.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { ProviderAnswer } from '../http.ts';
import { type BankNumbering, fieldsOf, requireMode, textOf } from '../provider-answers.ts';
import {
  ANOTHER_CREDIT,
  ASSIGNING,
  ATTEMPT_FAILED,
  CLOSED,
  isOurReference,
  NO_KEY,
  OPENED,
  PAGE_CHANNELS,
  saidOf,
  UNREADABLE_CREDIT,
  type WalletReading,
} from '../wallet-answers.ts';
import type {
  CloseAccountAnswer,
  CloseAccountRequest,
  CreditAnswer,
  CreditKey,
  OpenAccountAnswer,
  OpenAccountRequest,
  ReceivingAccount,
  WalletProvider,
} from '../wallet-provider.ts';
import { listCredits, type MonnifyPayment, toPayment } from './credits.ts';
import { ONE_TIME_TERMS, openOneTimeAccount, openPage } from './payments.ts';
import { createMonnifyRefunds } from './refunds.ts';
import type { MonnifySession } from './session.ts';
import { createMonnifySettlements } from './settlements.ts';
import { openEnvelope } from './transfers.ts';
import {
  readOpenRefusal,
  readPaymentStatus,
  saysNoSuchAccount,
  saysNoSuchPayment,
  unusable,
} from './wallet-readings.ts';
import { readMonnifyCreditWebhook } from './webhooks.ts';

interface Context {
  session: MonnifySession;
  clock: Clock;
  mode: Mode;
  banks: BankNumbering;
  secretKey: string;
  contractCode: string;
}

/**
 * Reserved accounts of Monnify: POST and GET /api/v2/bank-transfer/reserved-accounts, DELETE
 * /api/v1/bank-transfer/reserved-accounts/reference/{ref}, GET /api/v2/merchant/transactions/query, GET
 * /api/v1/transactions/search, webhooks SUCCESSFUL_TRANSACTION. Amounts are decimal naira. What each answer means, and its
 * sources: wallet-readings.ts.
 */
export function createMonnifyWallets(context: Context): WalletProvider {
  return {
    capabilities: {
      needs: ['NAME', 'EMAIL', 'BVN'],
      takesNin: true,
      closesAccounts: true,
      severalBanks: true,
      queriesBySessionId: false,
      oneTimeAccount: ONE_TIME_TERMS,
      hostedPage: { channels: PAGE_CHANNELS },
    },
    settlements: createMonnifySettlements(context),
    async openAccount(request, signal) {
      requireMode(request.tenant, context.mode);
      return openAccount(context, request, signal);
    },
    async closeAccount(request, signal) {
      requireMode(request.tenant, context.mode);
      return closeAccount(context, request, signal);
    },
    async openOneTimeAccount(request, signal) {
      requireMode(request.tenant, context.mode);
      return openOneTimeAccount(context, request, signal);
    },
    async openPage(request, signal) {
      requireMode(request.tenant, context.mode);
      return openPage(context, request, signal);
    },
    queryCredit: (key, signal) => queryCredit(context, key, signal),
    listCredits: (request, signal) => listCredits(context.session, request, signal),
    readCreditWebhook: async (request) => readMonnifyCreditWebhook(context.secretKey, request),
    refunds: createMonnifyRefunds(context),
  };
}

async function openAccount(
  context: Context,
  request: OpenAccountRequest,
  signal: AbortSignal,
): Promise<OpenAccountAnswer> {
  const { session, clock, contractCode } = context;
  const { holder, reference, preferredBank } = request;
  if (holder.bvn === null && holder.nin === null) {
    const message = 'Monnify opens accounts only with the BVN or NIN of their owner';
    return { outcome: 'refused', ...saidOf({ reason: 'HOLDER_BVN_REQUIRED', message }, null, clock.now()) };
  }
  const answer = await session.request({
    method: 'POST',
    path: '/api/v2/bank-transfer/reserved-accounts',
    body: {
      accountReference: reference,
      accountName: holder.name,
      currencyCode: 'NGN',
      contractCode,
      customerEmail: holder.email,
      customerName: holder.name,
      ...(holder.bvn !== null && { bvn: holder.bvn }),
      ...(holder.nin !== null && { nin: holder.nin }),
      getAllAvailableBanks: preferredBank === null,
      ...(preferredBank !== null && { preferredBanks: [preferredBank] }),
      // Anybody may pay: by default Monnify takes money from named payers only.
      restrictPaymentSource: false,
    },
    signal,
  });
  if (!openEnvelope(answer).refused || answer.status >= 500) return readAccount(context, reference, answer);
  return settleRefusal(context, reference, answer, signal);
}

/**
 * Refused: because the reference is known (then its account is the answer), or because of what was asked. Only Monnify's
 * books distinguish the two.
 */
async function settleRefusal(
  context: Context,
  reference: string,
  refused: ProviderAnswer,
  signal: AbortSignal,
): Promise<OpenAccountAnswer> {
  const { code, message } = openEnvelope(refused);
  const found = await context.session.request({
    method: 'GET',
    path: `/api/v2/bank-transfer/reserved-accounts/${encodeURIComponent(reference)}`,
    signal,
  });
  if (!saysNoSuchAccount(found, openEnvelope(found))) return readAccount(context, reference, found);
  const reason = readOpenRefusal(message);
  const at = context.clock.now();
  if (reason !== undefined) return { outcome: 'refused', ...saidOf({ reason, message }, code, at) };
  return { outcome: 'unknown', ...saidOf({ reason: 'RAIL_REFUSAL_UNLISTED', message }, code, at) };
}

function readAccount({ clock, banks }: Context, reference: string, answer: ProviderAnswer): OpenAccountAnswer {
  const { data, code } = openEnvelope(answer);
  const fields = fieldsOf(data);
  if (fields === undefined) return { outcome: 'unknown', ...unusable(answer, clock) };
  const said = (reading: WalletReading) => saidOf(reading, code, clock.now());
  if (fields['accountReference'] !== reference) return { outcome: 'unknown', ...said(ANOTHER_ACCOUNT) };
  const status = textOf(fields['status']);
  if (status !== 'ACTIVE') {
    const message = `Monnify says that the account is ${status || 'of no status'}`;
    return { outcome: 'unknown', ...said({ reason: 'RAIL_CODE_UNKNOWN', message }) };
  }
  const accounts = accountsOf(fields['accounts'], banks);
  if (accounts === undefined) return { outcome: 'unknown', ...said(UNREADABLE_ACCOUNT) };
  if (accounts.length === 0) return { outcome: 'pending', ...said(ASSIGNING) };
  const providerAccountId = textOf(fields['reservationReference']) || reference;
  return { outcome: 'opened', accounts, providerAccountId, ...said(OPENED) };
}

/** Undefined where one of them cannot be read: an account that is left out is one that nobody looks for. */
function accountsOf(value: unknown, banks: BankNumbering): ReceivingAccount[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const accounts: ReceivingAccount[] = [];
  for (const one of value) {
    const fields = fieldsOf(one);
    const accountNumber = textOf(fields?.['accountNumber']);
    if (!/^\d{10}$/.test(accountNumber)) return undefined;
    accounts.push({
      bankCode: banks.ours(textOf(fields?.['bankCode'])),
      bankName: textOf(fields?.['bankName']),
      accountNumber,
      accountName: textOf(fields?.['accountName']),
    });
  }
  return accounts;
}

async function closeAccount(
  { session, clock }: Context,
  { reference }: CloseAccountRequest,
  signal: AbortSignal,
): Promise<CloseAccountAnswer> {
  const answer = await session.request({
    method: 'DELETE',
    path: `/api/v1/bank-transfer/reserved-accounts/reference/${encodeURIComponent(reference)}`,
    signal,
  });
  const envelope = openEnvelope(answer);
  const said = (reading: WalletReading) => saidOf(reading, envelope.code, clock.now());
  if (saysNoSuchAccount(answer, envelope)) {
    return { outcome: 'closed', ...said({ reason: null, message: 'No such account any more' }) };
  }
  const fields = fieldsOf(envelope.data);
  if (fields === undefined) return { outcome: 'unknown', ...unusable(answer, clock) };
  // Its status is what it was before.
  if (fields['accountReference'] !== reference) return { outcome: 'unknown', ...said(ANOTHER_ACCOUNT) };
  return { outcome: 'closed', ...said(CLOSED) };
}

async function queryCredit({ session, clock }: Context, key: CreditKey, signal: AbortSignal): Promise<CreditAnswer> {
  const query = queryOf(key);
  if (query === undefined) return { outcome: 'unknown', ...saidOf(NO_KEY, null, clock.now()) };
  const path = '/api/v2/merchant/transactions/query';
  const answer = await session.request({ method: 'GET', path, query, signal });
  const at = clock.now();
  const envelope = openEnvelope(answer);
  if (saysNoSuchPayment(answer, envelope)) {
    const reading = { reason: 'RAIL_RECORD_NOT_FOUND', message: 'No such payment' };
    return { outcome: 'not_found', ...saidOf(reading, envelope.code || `HTTP_${answer.status}`, at) };
  }
  const payment = toPayment(envelope.data);
  if (payment === undefined) return { outcome: 'unknown', ...unusable(answer, clock) };
  const { status: code, credit } = payment;
  if (!isAbout(key, payment)) return { outcome: 'unknown', ...saidOf(ANOTHER_CREDIT, code, at) };
  if (code === 'FAILED' && isOurReference(payment.paymentReference)) {
    return { outcome: 'pending', ...saidOf(ATTEMPT_FAILED, code, at) };
  }
  const outcome = readPaymentStatus(code);
  const said = saidOf({ reason: REASONS[outcome ?? 'unknown'], message: `Monnify says ${code}` }, code, at);
  if (outcome === undefined) return { outcome: 'unknown', ...said };
  if (outcome === 'failed' || outcome === 'pending') return { outcome, ...said };
  return credit === undefined
    ? { outcome: 'unknown', ...saidOf(UNREADABLE_CREDIT, code, at) }
    : { outcome, credit, ...said };
}

/** By its own reference of the transaction, which is of one payment only, before the other. */
function queryOf({ providerTransactionId, providerReference, ourReference }: CreditKey) {
  if (providerTransactionId !== null) return { transactionReference: providerTransactionId };
  const paymentReference = ourReference ?? providerReference;
  return paymentReference === null ? undefined : { paymentReference };
}

function isAbout(key: CreditKey, payment: MonnifyPayment): boolean {
  const { providerTransactionId, providerReference, ourReference } = key;
  if (providerTransactionId !== null) return payment.transactionReference === providerTransactionId;
  return payment.paymentReference === (ourReference ?? providerReference);
}

const REASONS = {
  confirmed: null,
  reversed: 'RAIL_REVERSED',
  failed: 'RAIL_REFUSED',
  pending: 'RAIL_PENDING',
  unknown: 'RAIL_CODE_UNKNOWN',
} as const;

const ANOTHER_ACCOUNT: WalletReading = {
  reason: 'RAIL_ANSWER_MISMATCH',
  message: 'Monnify answered about another account than the one that it was asked about',
};

const UNREADABLE_ACCOUNT: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'An account number in the answer of Monnify cannot be read',
};
