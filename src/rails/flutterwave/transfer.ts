import { fromDecimal } from '../decimal-amount.ts';
import type { ProviderAnswer } from '../http.ts';
import type { SendRequest } from '../port.ts';
import { fieldsOf, textOf } from '../provider-answers.ts';

/** One transfer as Flutterwave shows it in answers, lists and webhooks. */
export interface FlutterwaveTransfer {
  /** Its own number. Version 3 shows no session id of the network: support finds the session by this one. */
  id: string;
  reference: string;
  status: string;
  completeMessage: string;
  /** Minor units; null where it cannot be read exactly. */
  amountMinor: bigint | null;
  currency: string;
  accountNumber: string;
  awaitsApproval: boolean;
  isReversed: boolean;
}

/** Undefined for anything that has no id, reference and status. */
export function toTransfer(value: unknown): FlutterwaveTransfer | undefined {
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
    amountMinor: fromDecimal(fields['amount']),
    currency: textOf(fields['currency']),
    accountNumber: textOf(fields['account_number']),
    awaitsApproval: isOne(fields['requires_approval']) && !isOne(fields['is_approved']),
    isReversed: reversal?.['reconciliation_status'] === 'REVERSED' && reversal['initial_status'] === 'SUCCESSFUL',
  };
}

function isOne(value: unknown): boolean {
  return value === 1 || value === true;
}

/** Whether this is the transfer that we asked for, and not another one that has its reference. */
export function isTransferOf(transfer: FlutterwaveTransfer, request: SendRequest): boolean {
  return (
    transfer.reference === request.railReference &&
    transfer.amountMinor === request.amountMinor &&
    transfer.currency === request.currency &&
    transfer.accountNumber === request.accountNumber
  );
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
