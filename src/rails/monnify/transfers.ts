import { fromDecimal } from '../decimal-amount.ts';
import type { ProviderAnswer } from '../http.ts';
import {
  type BankNumbering,
  expected,
  fieldsOf,
  type ProviderReading,
  providerMessage,
  textOf,
  unknown,
} from '../provider-answers.ts';
import type { ReportedFacts } from '../reported.ts';

/**
 * Where Monnify's bank list has another code than ours. OPay's stands in the webhook examples of its documentation
 * (https://developers.monnify.com/docs/webhooks/event-types), the rest in stored copies of what GET /api/v1/banks
 * answers with; the account's `bankCodes` go before it where the live list says otherwise.
 */
export const MONNIFY_BANK_CODES: Readonly<Record<string, string>> = {
  '000024': '502', // Rand
  '000026': '302', // TAJ
  '999991': '100033', // PalmPay
  '999992': '305', // OPay
};

/** One transfer as Monnify shows it in answers, summaries and webhooks. */
export interface MonnifyTransfer {
  reference: string;
  /** Its own; empty in the answer to a send. */
  transactionReference: string;
  status: string;
  description: string;
  reported: ReportedFacts;
  /** The network's; null before there is one. */
  sessionId: string | null;
}

/**
 * Undefined for anything that has no reference and status. `amount` is without the fee, which has a field of its own. The
 * answer to a send shows no currency.
 */
export function toTransfer(value: unknown, banks: BankNumbering): MonnifyTransfer | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  const reference = textOf(fields['reference']);
  const status = textOf(fields['status']);
  if (reference === '' || status === '') return undefined;
  return {
    reference,
    transactionReference: textOf(fields['transactionReference']),
    status,
    description: textOf(fields['transactionDescription']),
    reported: {
      railReference: reference,
      amountMinor: expected(fromDecimal(fields['amount'])),
      currency: textOf(fields['currency']) || null,
      accountNumber: expected(textOf(fields['destinationAccountNumber'])),
      bankCode: banks.ours(textOf(fields['destinationBankCode'])),
    },
    sessionId: textOf(fields['sessionId']) || null,
  };
}

/** What every answer of Monnify is wrapped in. */
export interface MonnifyEnvelope {
  /** The body of a 2xx that says `requestSuccessful` with code 0; undefined for all else. */
  data: unknown;
  /** Empty where Monnify itself did not answer. */
  code: string;
  message: string;
  /** Monnify itself said no. */
  refused: boolean;
}

export function openEnvelope({ status, body }: ProviderAnswer): MonnifyEnvelope {
  const fields = fieldsOf(body);
  const code = textOf(fields?.['responseCode']);
  const isGood = status >= 200 && status <= 299 && fields?.['requestSuccessful'] === true && code === '0';
  return {
    data: isGood ? fields['responseBody'] : undefined,
    code,
    message: providerMessage(fields?.['responseMessage']),
    refused: fields?.['requestSuccessful'] === false,
  };
}

/**
 * What Monnify's words mean for a payout. API version 2, read in stored copies of its documentation:
 * - statuses: https://developers.monnify.com/docs/disbursements/single-transfers
 * - codes D01 to D07 and 99, what to do about each, and the texts of failures: https://developers.monnify.com/docs/error-codes
 * - webhooks: https://developers.monnify.com/docs/webhooks/event-types
 *
 * | where | HTTP | says | outcome |
 * |---|---|---|---|
 * | transfer | 200, code 0 | SUCCESS, COMPLETED | succeeded |
 * | transfer | 200, code 0 | FAILED, and its text is not one of those that are to be asked about again | failed |
 * | transfer | 200, code 0 | FAILED with such a text (destination timed out, bank not available, in progress ...) | unknown |
 * | send | 200, code 0 | FAILED without a text | as the query says then, else unknown |
 * | transfer | 200, code 0 | REVERSED | reversed |
 * | transfer | 200, code 0 | PENDING, AWAITING_PROCESSING, IN_PROGRESS, any other status | unknown |
 * | transfer | 200, code 0 | PENDING_AUTHORIZATION and the other statuses of a one-time password | unknown |
 * | transfer | 200, code 0 | EXPIRED (documented for batches only) | unknown |
 * | query | 200, 400, 404 | D02, or "could not find disbursement" | not_found |
 * | send | 200, 4xx | D01 to D05, D07, and then the query finds our transfer | as that transfer |
 * | send | 200, 4xx | D03, D04, D01 with a listed text, and then the query finds no transfer | failed |
 * | send | 200, 4xx | D05, D07, D01 with another text, and then the query finds no transfer | unknown |
 * | all else | | 99, D06, 401, 403, 429, 5xx, HTML, half a document, another reference or amount | unknown |
 *
 * A refusal counts only together with a query that finds nothing: D04 can be the answer to a second send whose first
 * one emptied the wallet, and D07 to a second send of the very same reference.
 */

const OTP_ON =
  'Monnify holds the transfer until somebody enters a one-time password: have two-factor authentication of API ' +
  'transfers switched off there';

/** Texts that the documentation says to ask about again, also where the status is FAILED already. */
const ASK_AGAIN: readonly (readonly [RegExp, string])[] = [
  [/timed? ?out/i, 'RAIL_BANK_TIMED_OUT'],
  [/bank not available|unable to complete|could not be processed at this time/i, 'BANK_UNAVAILABLE'],
  [/delayed processing|in progress/i, 'RAIL_PENDING'],
  [/invalid session|invalid response code|(malfunction by destination|processor malfunction)/i, 'RAIL_MALFUNCTION'],
];

/** Why a transfer failed or was refused, by the documentation's texts. The first that fits. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/(not have|in)\s?sufficient (wallet )?balance/i, 'RAIL_FUNDS_INSUFFICIENT'],
  [/dormant/i, 'ACCOUNT_DORMANT'],
  [/name mismatch/i, 'ACCOUNT_NAME_MISMATCH'],
  [/unknown destination bank/i, 'BANK_CODE_UNKNOWN'],
  [/invalid amount/i, 'AMOUNT_INVALID'],
  [/post no (credit|debit)/i, 'ACCOUNT_RESTRICTED'],
  [/account limit exceeded/i, 'ACCOUNT_LIMIT_EXCEEDED'],
  [/sender not permitted/i, 'SENDER_NOT_PERMITTED'],
  [/suspected fraud/i, 'FRAUD_SUSPECTED'],
  [/rejected by destination/i, 'DO_NOT_HONOUR'],
  [/invalid (destination )?account|account number could not be validated/i, 'ACCOUNT_INVALID'],
];

export function readStatus(status: string, description: string): ProviderReading {
  switch (status) {
    case 'SUCCESS':
    case 'COMPLETED':
      return { outcome: 'succeeded', reason: null, message: description || 'Successful' };
    case 'FAILED':
      return readFailure(description);
    case 'REVERSED':
      return { outcome: 'reversed', reason: 'RAIL_REVERSED', message: description || 'The money came back' };
    case 'PENDING':
    case 'AWAITING_PROCESSING':
    case 'IN_PROGRESS':
      return unknown('RAIL_PENDING', description || 'Monnify has not finished the transfer');
    case 'PENDING_AUTHORIZATION':
    case 'PENDING_BATCH_AUTHORIZATION':
    case 'OTP_EMAIL_DISPATCHED':
    case 'OTP_EMAIL_DISPATCH_FAILED':
      return unknown('RAIL_OTP_REQUIRED', OTP_ON);
    case 'EXPIRED':
      return unknown('RAIL_TRANSFER_EXPIRED', 'Monnify says that the transfer expired: ask there whether it was paid');
    default:
      return unknown('RAIL_CODE_UNKNOWN', `The rail answered with an unknown status (${status})`);
  }
}

function readFailure(description: string): ProviderReading {
  const open = find(ASK_AGAIN, description);
  if (open !== undefined) return unknown(open, description);
  const reason = find(REFUSALS, description) ?? 'RAIL_REFUSED';
  return { outcome: 'failed', reason, message: description || 'The transfer failed' };
}

/** Codes that are about this transfer, so that the provider's books have to be asked about it. */
const ABOUT_THE_TRANSFER: ReadonlySet<string> = new Set(['D01', 'D02', 'D03', 'D04', 'D05', 'D07']);

export function isAboutTheTransfer(code: string): boolean {
  return ABOUT_THE_TRANSFER.has(code);
}

/** The refusal of a send, where the provider has no transfer under its reference. */
export function readRefusal(code: string, message: string): ProviderReading {
  const failed = (reason: string): ProviderReading => ({ outcome: 'failed', reason, message });
  switch (code) {
    case 'D01': {
      const reason = find(ASK_AGAIN, message) === undefined ? find(REFUSALS, message) : undefined;
      return reason === undefined ? unknown('RAIL_REFUSAL_UNLISTED', message) : failed(reason);
    }
    case 'D03':
      return failed('ACCOUNT_INVALID');
    case 'D04':
      return failed('RAIL_FUNDS_INSUFFICIENT');
    case 'D05':
      return unknown('RAIL_DUPLICATE', message);
    case 'D07':
      return unknown('RAIL_DUPLICATE_WINDOW', 'Monnify paid the same amount to the same account within two minutes');
    default:
      return unknown('RAIL_REFUSAL_UNLISTED', message);
  }
}

/** An answer that shows nothing of what was asked, and its code, which is never empty. */
export function readUnusable(answer: ProviderAnswer): { reading: ProviderReading; code: string } {
  const { code, message } = openEnvelope(answer);
  return { reading: readHttpStatus(answer.status, code, message), code: code || `HTTP_${answer.status}` };
}

function readHttpStatus(httpStatus: number, code: string, message: string): ProviderReading {
  if (httpStatus === 401 || httpStatus === 403 || code === 'D06') {
    return unknown('RAIL_CREDENTIALS_REFUSED', 'Monnify refuses the key or this address: check both there');
  }
  if (httpStatus === 429) return unknown('RAIL_RATE_LIMITED', 'Monnify takes no more calls for now');
  if (code === '99') return unknown('RAIL_MALFUNCTION', message || 'Monnify could not process the request');
  if (httpStatus >= 500) return unknown('RAIL_MALFUNCTION', `Monnify has a fault (HTTP ${httpStatus})`);
  return unknown('RAIL_ANSWER_UNEXPECTED', `Monnify's answer could not be read (HTTP ${httpStatus})`);
}

function find(table: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}
