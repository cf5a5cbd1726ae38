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
import { isTemporary, type WalletReading } from '../wallet-answers.ts';

/**
 * Where Flutterwave's bank list has another code than ours. Commercial banks have the central bank's three digits in
 * both; wallets and microfinance banks have the network's six there. From stored copies of the list that
 * GET /v3/banks/NG answers with; the account's `bankCodes` go before it where the live list says otherwise.
 */
export const FLUTTERWAVE_BANK_CODES: Readonly<Record<string, string>> = {
  '125': '090175', // Rubies
  '50211': '090267', // Kuda
  '50515': '090405', // Moniepoint
  '999991': '100033', // PalmPay
  '999992': '100004', // OPay
};

/** One transfer as Flutterwave shows it in answers, lists and webhooks. */
export interface FlutterwaveTransfer {
  /** Its own number. Version 3 shows no session id of the network: support finds the session by this one. */
  id: string;
  reference: string;
  status: string;
  completeMessage: string;
  reported: ReportedFacts;
  awaitsApproval: boolean;
  isReversed: boolean;
}

/** Undefined for anything that has no id, reference and status. `amount` is without the fee, which has a field of its own. */
export function toTransfer(value: unknown, banks: BankNumbering): FlutterwaveTransfer | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  const id = textOf(fields['id']);
  const reference = textOf(fields['reference']);
  const status = textOf(fields['status']);
  if (id === '' || reference === '' || status === '') return undefined;
  const reversal = fieldsOf(fields['reversal']);
  return {
    id,
    reference,
    status,
    completeMessage: textOf(fields['complete_message']),
    reported: {
      railReference: reference,
      amountMinor: expected(fromDecimal(fields['amount'])),
      currency: expected(textOf(fields['currency'])),
      accountNumber: expected(textOf(fields['account_number'])),
      bankCode: banks.ours(textOf(fields['bank_code'])),
    },
    awaitsApproval: isOne(fields['requires_approval']) && !isOne(fields['is_approved']),
    isReversed: reversal?.['reconciliation_status'] === 'REVERSED' && reversal['initial_status'] === 'SUCCESSFUL',
  };
}

function isOne(value: unknown): boolean {
  return value === 1 || value === true;
}

/** The data of a 2xx whose envelope says success; undefined for all else, a 200 with an error in it included. */
export function dataOf(answer: ProviderAnswer): unknown {
  const envelope = fieldsOf(answer.body);
  if (answer.status < 200 || answer.status > 299 || envelope?.['status'] !== 'success') return undefined;
  return envelope['data'];
}

/** The message of an error that Flutterwave itself wrote; undefined where a proxy or half a document answered. */
export function refusalOf(answer: ProviderAnswer): string | undefined {
  const envelope = fieldsOf(answer.body);
  return envelope?.['status'] === 'error' ? providerMessage(envelope['message']) : undefined;
}

/**
 * What Flutterwave's words mean for a payout. API version 3, read in stored copies of its documentation:
 * - statuses and an example of each message: https://github.com/Flutterwave/Node-v3/blob/master/documentation/transfers.md
 *   and https://developer.flutterwave.com/docs/payout-outflow/introduction (13 September 2026)
 * - a transfer begins as NEW and is asked about by its reference: https://developer.flutterwave.com/v2.0/reference/how-transfers-work
 * - errors, HTTP 400, 401 and 500: https://developer.flutterwave.com/docs/integration-guides/errors
 * - `reversal`: https://flutterwaveinc.mintlify.app/v4-api-reference/transfers/retry-or-duplicate-a-transfer (version 4;
 *   version 3 does not document it, so it is believed where it comes and not expected)
 *
 * | where | HTTP | says | outcome |
 * |---|---|---|---|
 * | transfer | 2xx `success` | SUCCESSFUL | succeeded |
 * | transfer | 2xx `success` | FAILED, and the message does not say that the end is open | failed |
 * | transfer | 2xx `success` | FAILED with "timed out", "in progress", "pending" | unknown |
 * | transfer | 2xx `success` | a `reversal` that is REVERSED, after SUCCESSFUL | reversed |
 * | transfer | 2xx `success` | NEW, PENDING, any other status | unknown |
 * | query | 200 `success` | an empty list | not_found |
 * | send | 4xx `error` | and then the query finds our transfer | as that transfer |
 * | send | 400 `error` | a message listed below, and then the query finds no transfer | failed |
 * | all else | | 401, 403, 429, 5xx, HTML, half a document, another reference or amount | unknown |
 *
 * A refusal counts only together with a query that finds nothing: the same refusal ("insufficient funds") can be the
 * answer to a second send whose first one emptied the balance.
 */

const APPROVAL_MISSING =
  'Flutterwave waits for somebody to approve the transfer: switch approval of API transfers off in its dashboard';

/** Refusals, and why a transfer FAILED, by the provider's text: it has no codes. The first that fits. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/insufficient (funds|balance|wallet)/i, 'RAIL_FUNDS_INSUFFICIENT'],
  [/you can only spend|limit|(less|more|greater) than|minimum|maximum/i, 'LIMIT_EXCEEDED'],
  [/dormant/i, 'ACCOUNT_DORMANT'],
  [/name.*(mismatch|not match)/i, 'ACCOUNT_NAME_MISMATCH'],
  [/(invalid|unknown|unsupported) bank|account_bank/i, 'BANK_CODE_UNKNOWN'],
  [/(invalid|wrong|incorrect|unknown).*account|account.*(invalid|not valid|not found|not exist)/i, 'ACCOUNT_INVALID'],
  [/wallet currently restricted|not permitted/i, 'SENDER_NOT_PERMITTED'],
];

/** A failure that says itself that its end is not known. */
const OPEN_END = /time[ds]?[ -]?out|in progress|pending|status unknown/i;

/** Name enquiries only: nothing is paid by them, so a text is enough. */
const ACCOUNT_UNKNOWN = /could not be validated|invalid account|account.*(invalid|not found|not exist)/i;

export function readTransfer(transfer: FlutterwaveTransfer): ProviderReading {
  if (transfer.isReversed) {
    return { outcome: 'reversed', reason: 'RAIL_REVERSED', message: 'The beneficiary bank returned the money' };
  }
  switch (transfer.status) {
    case 'SUCCESSFUL':
      return { outcome: 'succeeded', reason: null, message: transfer.completeMessage || 'Successful' };
    case 'FAILED':
      return readFailure(transfer.completeMessage);
    case 'NEW':
    case 'PENDING':
      return transfer.awaitsApproval
        ? unknown('RAIL_APPROVAL_MISSING', APPROVAL_MISSING)
        : unknown('RAIL_PENDING', transfer.completeMessage || 'Flutterwave has the transfer in its queue');
    default:
      return unknown('RAIL_CODE_UNKNOWN', `The rail answered with an unknown status (${transfer.status})`);
  }
}

function readFailure(message: string): ProviderReading {
  if (OPEN_END.test(message)) return unknown('RAIL_FAILURE_UNCLEAR', message);
  return {
    outcome: 'failed',
    reason: reasonOf(providerMessage(message)) ?? 'RAIL_REFUSED',
    message: message || 'The transfer failed',
  };
}

/** The refusal of a send that made no transfer; unknown where its text is not listed. */
export function readRefusal(status: number, message: string): ProviderReading {
  const reason = reasonOf(message);
  if (status !== 400 || reason === undefined || OPEN_END.test(message)) {
    return unknown('RAIL_REFUSAL_UNLISTED', message || `The rail refused with HTTP ${status}`);
  }
  return { outcome: 'failed', reason, message };
}

function reasonOf(message: string): string | undefined {
  return REFUSALS.find(([pattern]) => pattern.test(message))?.[1];
}

export function saysNoSuchAccount(status: number, message: string): boolean {
  return (status === 400 || status === 404) && ACCOUNT_UNKNOWN.test(message);
}

/** An answer that says nothing of the transfer. */
export function readHttpStatus(status: number): ProviderReading {
  switch (status) {
    case 401:
    case 403:
      return unknown('RAIL_CREDENTIALS_REFUSED', 'Flutterwave refuses the key or this address: check both there');
    case 429:
      return unknown('RAIL_RATE_LIMITED', 'Flutterwave takes no more calls for now');
    default:
      return status >= 500
        ? unknown('RAIL_MALFUNCTION', `Flutterwave has a fault (HTTP ${status})`)
        : unknown('RAIL_ANSWER_UNEXPECTED', `Flutterwave's answer could not be read (HTTP ${status})`);
  }
}

/** The first that fits. */
export type Refusals = readonly (readonly [RegExp, WalletReading])[];

const NOTE = /^Please make a bank transfer to (.+)$/i;

/** A refusal (HTTP 400, `status: error`) of an adapter's table; undefined where it has none for this answer. */
export function listedRefusal(answer: ProviderAnswer, refusals: Refusals): WalletReading | undefined {
  const message = refusalOf(answer);
  if (message === undefined || answer.status !== 400 || isTemporary(message)) return undefined;
  return refusals.find(([pattern]) => pattern.test(message))?.[1];
}

/** Why an answer in the wallet role ends nothing. */
export function whyUnknown(answer: ProviderAnswer): WalletReading {
  const message = refusalOf(answer);
  const isAboutTheRequest = [400, 404, 422].includes(answer.status);
  if (message === undefined || !isAboutTheRequest) return readHttpStatus(answer.status);
  return { reason: 'RAIL_REFUSAL_UNLISTED', message: message || `Flutterwave refused with HTTP ${answer.status}` };
}

/** The name of an account stands only in a sentence for people, behind what Flutterwave puts before it. */
export function nameInNote(note: unknown): string | null {
  return NOTE.exec(textOf(note))?.[1]?.trim() || null;
}
