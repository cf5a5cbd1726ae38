import { fromDecimal } from '../decimal-amount.ts';
import type { ProviderAnswer } from '../http.ts';
import type { SendRequest } from '../port.ts';
import { fieldsOf, textOf } from '../provider-answers.ts';

/** One transfer as Monnify shows it in answers, summaries and webhooks. */
export interface MonnifyTransfer {
  reference: string;
  /** Its own; empty in the answer to a send. */
  transactionReference: string;
  status: string;
  description: string;
  /** Minor units; null where it cannot be read exactly. */
  amountMinor: bigint | null;
  /** Empty where this answer does not show it. */
  currency: string;
  accountNumber: string;
  /** The network's; null before there is one. */
  sessionId: string | null;
}

/** Undefined for anything that has no reference and status. */
export function toTransfer(value: unknown): MonnifyTransfer | undefined {
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
    amountMinor: fromDecimal(fields['amount']),
    currency: textOf(fields['currency']),
    accountNumber: textOf(fields['destinationAccountNumber']),
    sessionId: textOf(fields['sessionId']) || null,
  };
}

/** Whether this is the transfer that we asked for, and not another one that has its reference. */
export function isTransferOf(transfer: MonnifyTransfer, request: SendRequest): boolean {
  return (
    transfer.reference === request.railReference &&
    transfer.amountMinor === request.amountMinor &&
    ['', request.currency].includes(transfer.currency) &&
    ['', request.accountNumber].includes(transfer.accountNumber)
  );
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
