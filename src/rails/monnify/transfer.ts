import { fromDecimal } from '../decimal-amount.ts';
import type { ProviderAnswer } from '../http.ts';
import { type BankNumbering, expected, fieldsOf, textOf } from '../provider-answers.ts';
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
    message: textOf(fields?.['responseMessage']),
    refused: fields?.['requestSuccessful'] === false,
  };
}
