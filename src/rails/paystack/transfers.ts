import { type BankNumbering, expected, fieldsOf, listedIn, type ProviderReading, textOf } from '../provider-answers.ts';
import type { ReportedFacts } from '../reported.ts';

/**
 * Paystack lists banks by the central bank's codes, as our directory does, but for these: ours has the network's code
 * where no other is sure. From its public list, https://api.paystack.co/bank?currency=NGN, in copies that developers
 * published; the list itself needs a key.
 */
export const PAYSTACK_BANK_CODES: Readonly<Record<string, string>> = {
  '000024': '502',
  '000026': '302',
  '000027': '00103',
  '060001': '559',
};

/** A value that `JSON.stringify` writes as these very digits. ES2025; the compiler does not know it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): object };

/** Whole kobo as a JSON number, whatever its size: it never becomes a float. */
export function wireAmount(amountMinor: bigint): object {
  return rawJSON(amountMinor.toString());
}

/**
 * What a transfer of Paystack says that it is. The answer to a send names its recipient by a number of Paystack's own, and
 * shows no account.
 */
export function reportedOf(data: Record<string, unknown>, banks: BankNumbering): ReportedFacts {
  const recipient = fieldsOf(data['recipient']);
  const details = fieldsOf(recipient?.['details']);
  return {
    railReference: expected(textOf(data['reference'])),
    amountMinor: expected(amountOf(data)),
    currency: expected(textOf(data['currency'])),
    accountNumber: recipient === undefined ? null : expected(textOf(details?.['account_number'])),
    bankCode: banks.ours(textOf(details?.['bank_code'])),
  };
}

/** `amount` of a transfer: whole kobo. Null where it is missing or not exact. */
function amountOf(data: Record<string, unknown> | undefined): bigint | null {
  const amount = data?.['amount'];
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 ? BigInt(amount) : null;
}

/** The id that the beneficiary's bank can trace; Paystack has it once the network answered. */
export function sessionIdOf(data: Record<string, unknown> | undefined): string | null {
  const session = fieldsOf(data?.['session']);
  return textOf(session?.['id']) || null;
}

/*
 * What Paystack's words mean for a payout. Read in November 2026 from
 *   https://paystack.com/docs/transfers/how-transfers-work/ (statuses, and which of them are conclusive)
 *   https://paystack.com/docs/transfers/managing-transfers/ (OTP, balance)
 *   https://docs-v2.paystack.com/api/errors/transfer (refusals)
 *   https://github.com/PaystackOSS/openapi and https://github.com/PaystackOSS/doc-code-snippets (shapes, codes)
 */

const row = (outcome: ProviderReading['outcome'], reason: string | null, message: string): ProviderReading => ({
  outcome,
  reason,
  message,
});

/**
 * `data.status` of a transfer: in the answer to a send, to a query, and in a provider webhook. Only the statuses that Paystack
 * calls conclusive end a payout. Its "reversed" also says that a transfer could not be completed and that the amount is
 * back: before success that is a failure, after it a return, and the pipeline knows which.
 */
const PAYSTACK_STATUSES: Readonly<Record<string, ProviderReading>> = {
  success: row('succeeded', null, 'Paystack processed the transfer'),
  failed: row('failed', 'RAIL_REFUSED', 'Paystack could not process the transfer'),
  reversed: row('reversed', 'RAIL_REVERSED', 'Paystack returned the money'),
  abandoned: row('failed', 'RAIL_OTP_EXPIRED', 'Nobody gave Paystack the OTP in time; switch transfer OTP off there'),
  blocked: row('failed', 'RAIL_APPROVAL_MISSING', 'The approval address set up at Paystack did not answer'),
  rejected: row('failed', 'RAIL_APPROVAL_REFUSED', 'The approval address set up at Paystack refused the transfer'),
  otp: row(
    'unknown',
    'RAIL_OTP_REQUIRED',
    'Paystack waits for an OTP: switch transfer confirmation off in its dashboard',
  ),
  pending: row('unknown', 'RAIL_PENDING', 'Paystack is processing the transfer'),
  received: row('unknown', 'RAIL_PENDING', 'Paystack waits for an approval of the transfer'),
  queued: row('unknown', 'RAIL_PENDING', 'Paystack has queued the transfer'),
  processing: row('unknown', 'RAIL_PENDING', 'Paystack is processing the transfer'),
};

export function readStatus(status: string): ProviderReading {
  const message = `Paystack answered with an unknown status (${status})`;
  return listedIn(PAYSTACK_STATUSES, status) ?? row('unknown', 'RAIL_CODE_UNKNOWN', message);
}

interface Refusal {
  /** `code` of the answer; where the documentation gives only the sentence, `message` begins with it. */
  code?: string;
  message?: RegExp;
  reason: string;
  meaning: string;
}

/**
 * HTTP 400 with `status: false`: checks that Paystack makes before a transfer exists. Each is believed only when a
 * query right after it finds no transfer under our reference. What is not here is unknown.
 */
const REFUSALS: readonly Refusal[] = [
  {
    code: 'invalid_transfer_recipient',
    reason: 'ACCOUNT_INVALID',
    meaning: 'Paystack does not accept the recipient',
  },
  { code: 'invalid_bank_code', reason: 'BANK_CODE_UNKNOWN', meaning: 'Paystack does not know the bank' },
  {
    code: 'insufficient_balance',
    message: /^Your balance is not enough to fulfill? this request/i,
    reason: 'RAIL_FUNDS_INSUFFICIENT',
    meaning: 'There is not enough money in the balance at Paystack',
  },
  {
    message: /^You cannot initiate third party payouts/i,
    reason: 'SENDER_NOT_PERMITTED',
    meaning: 'Paystack has not enabled transfers for this business',
  },
];

/** HTTP 400: the reference belongs to a transfer already. Which one, a query says. */
export const DUPLICATE_REFERENCE = 'duplicate_transfer_reference';

/** The refusal that this answer is, where it is a listed one. */
export function readRefusal(code: string, message: string): ProviderReading | undefined {
  const found = REFUSALS.find(
    (refusal) => (refusal.code !== undefined && refusal.code === code) || refusal.message?.test(message) === true,
  );
  return found === undefined ? undefined : row('failed', found.reason, found.meaning);
}

/** What an HTTP status says where the body says nothing that we know: never an end. */
export function readHttpStatus(status: number): ProviderReading {
  if (status === 401 || status === 403) {
    return row('unknown', 'RAIL_CREDENTIALS_REFUSED', 'Paystack does not accept our key');
  }
  if (status === 429) return row('unknown', 'RAIL_RATE_LIMITED', 'Paystack asks us to call less often');
  if (status >= 500) return row('unknown', 'RAIL_MALFUNCTION', `Paystack has a fault (HTTP ${status})`);
  return row('unknown', 'RAIL_ANSWER_UNEXPECTED', `Paystack's answer could not be read (HTTP ${status})`);
}
