import { fieldsOf, requireMode, textOf } from '../provider-answers.ts';
import {
  ASSIGNING,
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
  AccountHolder,
  CloseAccountAnswer,
  CloseAccountRequest,
  OpenAccountAnswer,
  OpenAccountRequest,
  ReceivingAccount,
} from '../wallet-provider.ts';
import { type Got, listedRefusal, type PaystackContext, type Refusal, readBody, whyUnknown } from './answers.ts';

/*
 * Dedicated virtual accounts, read in November 2026 from
 *   https://paystack.com/docs/payments/dedicated-nuban/ (what Paystack asks for, the limit, where a customer shows its
 *   account) and https://github.com/PaystackOSS/doc-code-snippets (shapes)
 */

/** With a test key this is the only bank. */
const TEST_BANK = 'test-bank';

/**
 * Paystack's own refusals after which no account is there; each is believed only when the customer then has none. The first
 * is the text that integrations report. Of the others Paystack documents the condition and no text, so they go by meaning.
 */
const REFUSALS: readonly Refusal[] = [
  {
    statuses: [400, 403],
    message: /^Dedicated NUBAN is not available/i,
    reason: 'ACCOUNT_OPENING_NOT_PERMITTED',
    meaning: 'Paystack has not enabled dedicated virtual accounts for this business',
  },
  {
    statuses: [400],
    message: /customer.*not.*(validated|identified|verified)/i,
    reason: 'HOLDER_NOT_VALIDATED',
    meaning: 'Paystack wants the customer validated first',
  },
  {
    statuses: [400],
    message: /(e-?mail|phone|first.?name|last.?name).*(required|invalid|not valid|missing)|invalid (e-?mail|phone)/i,
    reason: 'HOLDER_DETAILS_INVALID',
    meaning: 'Paystack does not accept the name, e-mail address or phone number',
  },
  {
    statuses: [400],
    message: /(reached|exceeded).*limit|limit.*(reached|exceeded)/i,
    reason: 'ACCOUNT_LIMIT_REACHED',
    meaning: 'Paystack opens no more accounts for this business until its support raises the limit',
  },
];

const NOT_ASSIGNED: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'Paystack shows an account that is not assigned, or without its number',
};

interface Customer {
  code: string;
  accounts: readonly Record<string, unknown>[];
}

/**
 * Paystack knows customers by their e-mail address and gives each one account. So each of our references is a customer
 * of its own, under the holder's address with the reference as its tag: a repeated request under it finds that
 * customer, and the account that the first request opened. For that, the address has to be the same in each request of
 * one reference.
 */
export async function openAccount(
  context: PaystackContext,
  request: OpenAccountRequest,
  signal: AbortSignal,
): Promise<OpenAccountAnswer> {
  requireMode(request.tenant, context.mode);
  const email = taggedEmail(request.holder.email, request.reference);
  const found = await findCustomer(context, email, signal);
  if ('unread' in found) return unknownAnswer(context, found.unread);
  if (found.customer !== undefined && found.customer.accounts.length > 0) {
    return answerOfAccounts(context, found.customer.accounts, 'FOUND');
  }
  const made = found.customer ?? (await makeCustomer(context, request, email, signal));
  if ('answer' in made) return made.answer;

  const bank = request.preferredBank ?? (context.mode === 'SANDBOX' ? TEST_BANK : null);
  const body = { customer: made.code, ...(bank === null ? {} : { preferred_bank: bank }) };
  const got = readBody(await context.http.request({ method: 'POST', path: '/dedicated_account', body, signal }));
  if (!got.isSuccess) return afterRefusal(context, got, email, signal);
  if (got.data === undefined && /in progress/i.test(got.message)) {
    return { outcome: 'pending', ...saidOf(ASSIGNING, got.code, context.clock.now()) };
  }
  return got.data === undefined ? unknownAnswer(context, got) : answerOfAccounts(context, [got.data], got.code);
}

type Found = { customer: Customer | undefined } | { unread: Got };

/** GET /customer/:email shows the customer's account as `dedicated_account`. */
async function findCustomer({ http }: PaystackContext, email: string, signal: AbortSignal): Promise<Found> {
  const path = `/customer/${encodeURIComponent(email)}`;
  const got = readBody(await http.request({ method: 'GET', path, signal }));
  // Where it was another 404 than that for a missing customer, nothing is lost: making a customer twice makes one.
  if (got.isRefusal && got.status === 404) return { customer: undefined };
  const code = textOf(got.data?.['customer_code']);
  const isTheirs = textOf(got.data?.['email']).toLowerCase() === email;
  if (!got.isSuccess || got.data === undefined || code === '' || !isTheirs) return { unread: got };
  const more = got.data['dedicated_accounts'];
  const accounts = [got.data['dedicated_account'], ...(Array.isArray(more) ? more : [])].map(fieldsOf);
  return { customer: { code, accounts: accounts.filter((account) => account !== undefined) } };
}

/** POST /customer: the same address is the same customer, and no account is opened by it. */
async function makeCustomer(
  context: PaystackContext,
  { holder, reference }: OpenAccountRequest,
  email: string,
  signal: AbortSignal,
): Promise<{ code: string } | { answer: OpenAccountAnswer }> {
  const body = { email, ...namesOf(holder), phone: `+${holder.phoneNumber}`, metadata: { reference } };
  const got = readBody(await context.http.request({ method: 'POST', path: '/customer', body, signal }));
  const code = textOf(got.data?.['customer_code']);
  if (got.isSuccess && code !== '') return { code };
  const refusal = listedRefusal(got, REFUSALS);
  const answer: OpenAccountAnswer =
    refusal === undefined
      ? unknownAnswer(context, got)
      : { outcome: 'refused', ...saidOf(refusal, got.code, context.clock.now()) };
  return { answer };
}

function namesOf({ name }: AccountHolder) {
  const { first, last } = twoNames(name);
  return { first_name: first, last_name: last };
}

/** A refusal may be the answer to a second request, whose first one opened the account: only a customer without one has none. */
async function afterRefusal(
  context: PaystackContext,
  got: Got,
  email: string,
  signal: AbortSignal,
): Promise<OpenAccountAnswer> {
  if (!got.isRefusal) return unknownAnswer(context, got);
  const found = await findCustomer(context, email, signal).catch(() => undefined);
  if (found === undefined || 'unread' in found || found.customer === undefined) return unknownAnswer(context, got);
  if (found.customer.accounts.length > 0) return answerOfAccounts(context, found.customer.accounts, 'FOUND');
  const refusal = listedRefusal(got, REFUSALS);
  if (refusal === undefined) return unknownAnswer(context, got);
  return { outcome: 'refused', ...saidOf(refusal, got.code, context.clock.now()) };
}

function answerOfAccounts(
  { clock }: PaystackContext,
  shown: readonly Record<string, unknown>[],
  code: string,
): OpenAccountAnswer {
  for (const fields of shown) {
    const account = toAccount(fields);
    const providerAccountId = textOf(fields['id']);
    if (account === undefined || providerAccountId === '') continue;
    return { outcome: 'opened', accounts: [account], providerAccountId, ...saidOf(OPENED, code, clock.now()) };
  }
  return { outcome: 'unknown', ...saidOf(NOT_ASSIGNED, code, clock.now()) };
}

/** The bank stands under `bank` where the account was created, under `provider` where the customer shows it. */
function toAccount(fields: Record<string, unknown>): ReceivingAccount | undefined {
  const accountNumber = accountNumberOf(fields['account_number']);
  const bankName = factOf(fieldsOf(fields['bank'])?.['name']) ?? factOf(fieldsOf(fields['provider'])?.['bank_name']);
  const accountName = factOf(fields['account_name']);
  if (accountNumber === null || bankName === null || accountName === null || !isOpen(fields)) return undefined;
  return { bankCode: null, bankName, accountNumber, accountName };
}

function isOpen(fields: Record<string, unknown>): boolean {
  return fields['assigned'] !== false && fields['active'] !== false;
}

/** DELETE /dedicated_account/:id. What it refuses may be closed already: the account itself says so. */
export async function closeAccount(
  context: PaystackContext,
  request: CloseAccountRequest,
  signal: AbortSignal,
): Promise<CloseAccountAnswer> {
  requireMode(request.tenant, context.mode);
  const path = `/dedicated_account/${encodeURIComponent(request.providerAccountId)}`;
  const got = readBody(await context.http.request({ method: 'DELETE', path, signal }));
  const closed = (code: string): CloseAccountAnswer => ({
    outcome: 'closed',
    ...saidOf(CLOSED, code, context.clock.now()),
  });
  if (got.isSuccess && (got.data === undefined || got.data['assigned'] === false)) return closed(got.code);
  const shown = readBody(await context.http.request({ method: 'GET', path, signal }));
  if (shown.isSuccess && shown.data !== undefined && !isOpen(shown.data)) return closed(shown.code);
  return { outcome: 'unknown', ...saidOf(whyUnknown(got), got.code, context.clock.now()) };
}

function unknownAnswer({ clock }: PaystackContext, got: Got): OpenAccountAnswer {
  return { outcome: 'unknown', ...saidOf(whyUnknown(got), got.code, clock.now()) };
}
