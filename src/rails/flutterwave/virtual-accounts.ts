import type { Clock } from '../../platform/clock.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { ProviderHttp } from '../http.ts';
import { fieldsOf, narrationOf, requireMode, textOf } from '../provider-answers.ts';
import {
  accountNumberOf,
  CLOSED,
  factOf,
  OPENED,
  saidOf,
  taggedEmail,
  twoNames,
  type WalletReading,
} from '../wallet-answers.ts';
import type {
  CloseAccountAnswer,
  CloseAccountRequest,
  OpenAccountAnswer,
  OpenAccountRequest,
} from '../wallet-provider.ts';
import { dataOf, listedRefusal, nameInNote, type Refusals, refusalOf, whyUnknown } from './transfers.ts';

/*
 * Static virtual accounts in naira, version 3. Read in November 2026 from
 *   https://developer.flutterwave.com/docs/virtual-accounts/ngn and
 *   https://github.com/Flutterwave/Node-v3/blob/master/documentation/virtualAccount.md (request, shapes, `response_code`)
 *   https://developer.flutterwave.com/v3.0.0/reference/deactivate-and-reactivate-virtual-accounts (closing)
 *   https://flutterwaveinc.mintlify.app/other-features/virtual-account (BVN, what `tx_ref` is for)
 */

/** One account at Flutterwave, for both of its roles. */
export interface FlutterwaveContext {
  http: ProviderHttp;
  clock: Clock;
  /** Of the key. */
  mode: Mode;
}

/** "Transaction in progress": of this request alone, the code that an account was created. */
const CREATED = '02';

/** Refusals (HTTP 400, `status: error`) by their text: there are no codes, and no list of texts. The first that fits. */
const REFUSALS: Refusals = [
  [/bvn/i, { reason: 'HOLDER_BVN_INVALID', message: 'Flutterwave does not accept the BVN' }],
  [
    /(e-?mail|phone ?number|first ?name|last ?name).*(required|invalid|not valid)|invalid (e-?mail|phone)/i,
    {
      reason: 'HOLDER_DETAILS_INVALID',
      message: 'Flutterwave does not accept the name, e-mail address or phone number',
    },
  ],
  [
    /not (permitted|enabled|allowed)/i,
    {
      reason: 'ACCOUNT_OPENING_NOT_PERMITTED',
      message: 'Flutterwave has not enabled static virtual accounts for this business',
    },
  ],
];

const BVN_MISSING: WalletReading = {
  reason: 'HOLDER_BVN_REQUIRED',
  message: 'Flutterwave opens an account only for a holder with a BVN',
};

/**
 * POST /v3/virtual-account-numbers. Flutterwave shows an account only by its own `order_ref`, which is unknown where
 * the answer was lost: what was opened under our reference cannot be looked up. So a second request under it may bring
 * another number. Both carry our reference as their `tx_ref`, and each credit names that: a payment to either is found,
 * and a number whose answer was lost was never shown to anybody. The tagged address keeps accounts of one holder apart.
 */
export async function openAccount(
  { http, clock, mode }: FlutterwaveContext,
  { tenant, reference, holder }: OpenAccountRequest,
  signal: AbortSignal,
): Promise<OpenAccountAnswer> {
  requireMode(tenant, mode);
  if (holder.bvn === null) return { outcome: 'refused', ...saidOf(BVN_MISSING, null, clock.now()) };
  const { first, last } = twoNames(holder.name);
  const body = {
    email: taggedEmail(holder.email, reference),
    is_permanent: true,
    bvn: holder.bvn,
    tx_ref: reference,
    phonenumber: holder.phoneNumber,
    firstname: first,
    lastname: last,
    narration: narrationOf(holder.name),
  };
  const answer = await http.request({ method: 'POST', path: '/v3/virtual-account-numbers', body, signal });
  const at = clock.now();
  const data = fieldsOf(dataOf(answer));
  if (data !== undefined) return answerOfAccount(data, holder.name, at);
  const refused = listedRefusal(answer, REFUSALS);
  const code = `HTTP_${answer.status}`;
  return refused === undefined
    ? { outcome: 'unknown', ...saidOf(whyUnknown(answer), code, at) }
    : { outcome: 'refused', ...saidOf(refused, code, at) };
}

/** The account's name stands only in a sentence for people, behind what Flutterwave puts before it. */
function answerOfAccount(data: Record<string, unknown>, askedName: string, at: Date): OpenAccountAnswer {
  const code = textOf(data['response_code']);
  const accountNumber = accountNumberOf(data['account_number']);
  const bankName = factOf(data['bank_name']);
  const providerAccountId = textOf(data['order_ref']);
  if (code !== CREATED || accountNumber === null || bankName === null || providerAccountId === '') {
    const message = `Flutterwave's answer shows no account (${textOf(data['response_message'])})`;
    return { outcome: 'unknown', ...saidOf({ reason: 'RAIL_ANSWER_UNEXPECTED', message }, code || null, at) };
  }
  const accountName = nameInNote(data['note']) ?? askedName;
  const account = { bankCode: null, bankName, accountNumber, accountName };
  return { outcome: 'opened', accounts: [account], providerAccountId, ...saidOf(OPENED, code, at) };
}

/** POST /v3/virtual-account-numbers/:order_ref with the status that the account shall have. */
export async function closeAccount(
  { http, clock, mode }: FlutterwaveContext,
  { tenant, providerAccountId }: CloseAccountRequest,
  signal: AbortSignal,
): Promise<CloseAccountAnswer> {
  requireMode(tenant, mode);
  const path = `/v3/virtual-account-numbers/${encodeURIComponent(providerAccountId)}`;
  const answer = await http.request({ method: 'POST', path, body: { status: 'inactive' }, signal });
  const at = clock.now();
  const code = `HTTP_${answer.status}`;
  const isClosedBefore = /already.*(inactive|deactivated|deleted)/i.test(refusalOf(answer) ?? '');
  if (dataOf(answer) !== undefined || (isClosedBefore && answer.status === 400)) {
    return { outcome: 'closed', ...saidOf(CLOSED, code, at) };
  }
  return { outcome: 'unknown', ...saidOf(whyUnknown(answer), code, at) };
}
