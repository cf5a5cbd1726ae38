import type { Data } from '../api/types.ts';

export type SinglePayout = Data<'get', '/transaction/{transactionId}'>;

/** What the status of a payout means for whoever made it. */
export function sentenceFor(status: string, reason: string | null): string {
  switch (status) {
    case 'PENDING_APPROVAL':
      return 'The money is held. It is sent as soon as another person has approved it.';
    case 'SCHEDULED':
      return 'It is sent at its time. Until then you can cancel it.';
    case 'QUEUED':
      return reason === null
        ? 'The money is held and the payout is next in line.'
        : 'The money is held. Nothing was sent yet, because of a problem on our side; it is sent by itself. Do not pay it a second time.';
    case 'PROCESSING':
      return reason === 'OUTCOME_UNKNOWN'
        ? 'The bank has not said what became of it. The money stays held and the bank is asked again. Do not pay it a second time.'
        : 'It is with the bank. This page follows it.';
    case 'SUCCESS':
      return 'The bank has confirmed it.';
    case 'FAILED':
      return 'The bank refused it. Amount and charges are back in the wallet.';
    case 'REVERSED':
      return 'The bank returned the money. It is back in the wallet.';
    case 'CANCELLED':
      return 'It was called off. Nothing left the wallet.';
    default:
      return '';
  }
}
