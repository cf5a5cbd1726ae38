import type { Clock } from '../../platform/clock.ts';
import type { ProviderAnswer } from '../http.ts';
import { isTemporary, saidOf } from '../wallet-answers.ts';
import { type MonnifyEnvelope, readUnusable } from './transfers.ts';

/**
 * What Monnify's words mean for reserved accounts and payments to them. Sources, read in stored copies:
 * - requests, answers, times of the list in milliseconds: https://developers.monnify.com/api/
 * - texts of refusals: https://developers.monnify.com/docs/error-codes (Customer Reserved Account; Transaction & Payment)
 * - statuses: https://teamapt.atlassian.net/wiki/spaces/MON/pages/212008662
 * - webhooks: https://developers.monnify.com/docs/webhooks/event-types
 *
 * | where | HTTP | says | outcome |
 * |---|---|---|---|
 * | open, look-up | 200, code 0 | our reference, ACTIVE, accounts | opened |
 * | open, look-up | 200, code 0 | the same without accounts yet | pending |
 * | open | 4xx | anything, and then the look-up finds an account under our reference | as that account |
 * | open | 4xx | a listed refusal, and then the look-up finds none | refused |
 * | open | 4xx | another text, and then the look-up finds none | unknown |
 * | close | 200, code 0 | our reference | closed |
 * | close, look-up | 404 | "cannot find reserved account" | closed; none |
 * | query | 200, code 0 | PAID, OVERPAID, PARTIALLY_PAID with a readable amountPaid | confirmed |
 * | query | 200, code 0 | PENDING | pending |
 * | query | 200, code 0 | FAILED, EXPIRED, CANCELLED | failed; FAILED is pending where it is an attempt on our reference |
 * | query | 200, code 0 | REVERSED with a readable amountPaid | reversed |
 * | query | 404 | Monnify's own refusal, or "could not find transaction" | not_found |
 * | all else | | ABANDONED, any other status, another reference, 401, 429, 5xx, HTML, half a document | unknown |
 */

export type CreditReading = 'confirmed' | 'reversed' | 'failed' | 'pending';

/** Undefined for a status that is not listed. An amount that is not the expected one is no failure: an account takes any. */
export function readPaymentStatus(status: string): CreditReading | undefined {
  switch (status) {
    case 'PAID':
    case 'OVERPAID':
    case 'PARTIALLY_PAID':
      return 'confirmed';
    case 'PENDING':
      return 'pending';
    case 'FAILED':
    case 'EXPIRED':
    case 'CANCELLED':
      return 'failed';
    case 'REVERSED':
      return 'reversed';
    default:
      return undefined;
  }
}

/** Why an account is not opened, by the documentation's texts; the limit of accounts is one that integrators report. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/\b(bvn|nin)\b.*(invalid|11 digits)|invalid (bvn|nin)/i, 'HOLDER_BVN_INVALID'],
  [/contract code|specified contract/i, 'PROVIDER_CONTRACT_UNKNOWN'],
  [/do not support virtual accounts from banks/i, 'PREFERRED_BANK_UNSUPPORTED'],
  [/unknown currency/i, 'CURRENCY_NOT_SUPPORTED'],
  [/reserve more than \d+ account/i, 'ACCOUNT_LIMIT_REACHED'],
];

/** The reason of a refusal that is listed; undefined for any other text, and for one that may be gone at the next attempt. */
export function readOpenRefusal(message: string): string | undefined {
  if (isTemporary(message)) return undefined;
  return REFUSALS.find(([pattern]) => pattern.test(message))?.[1];
}

/** Only in Monnify's own words: a 404 of a proxy says nothing of an account. */
export function saysNoSuchAccount({ status }: ProviderAnswer, { refused, message }: MonnifyEnvelope): boolean {
  return refused && status < 500 && /cannot find reserved account/i.test(message);
}

/** The same of a payment. */
export function saysNoSuchPayment({ status }: ProviderAnswer, { refused, message }: MonnifyEnvelope): boolean {
  if (!refused || status >= 500) return false;
  return status === 404 || /could not find transaction|no transaction matching/i.test(message);
}

/** An answer that shows nothing of what was asked. */
export function unusable(answer: ProviderAnswer, clock: Clock) {
  const { reading, code } = readUnusable(answer);
  return saidOf(reading, code, clock.now());
}
