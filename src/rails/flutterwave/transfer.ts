import { fromDecimal } from '../decimal-amount.ts';
import type { ProviderAnswer } from '../http.ts';
import { type BankNumbering, expected, fieldsOf, textOf } from '../provider-answers.ts';
import type { ReportedFacts } from '../reported.ts';

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
  return envelope?.['status'] === 'error' ? textOf(envelope['message']) : undefined;
}
