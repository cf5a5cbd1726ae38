import { showStatus } from '../components/status-words.ts';
import type { Item } from './item-fields.ts';

/** Why a row was not paid, or not yet, in words; undefined of one that was paid or goes its way. */
export function whyNotPaid({
  payoutStatus,
  payoutReason,
}: Pick<Item, 'payoutStatus' | 'payoutReason'>): string | undefined {
  const reason = payoutReason === null ? undefined : showStatus(payoutReason).word;
  switch (payoutStatus) {
    case 'FAILED':
    case 'CANCELLED':
      return reason === undefined ? 'Not paid.' : `Not paid: ${reason}.`;
    case 'REVERSED':
      return reason === undefined ? 'Returned by the bank.' : `Returned by the bank: ${reason}.`;
    case 'PROCESSING':
      return payoutReason === 'OUTCOME_UNKNOWN'
        ? 'The bank has not said whether it paid. It is asked again.'
        : undefined;
    default:
      return undefined;
  }
}

/** In a list of what was not paid: why it was not, the time before. */
export function whyNotPaidBefore({ paysAgain }: Pick<Item, 'paysAgain'>): string | undefined {
  const why = paysAgain === null ? undefined : whyNotPaid(paysAgain);
  return why === undefined ? undefined : `Last time: ${why}`;
}

/** All that is to be said of a row, what became of its money first. */
export function notesOf(item: Item): string {
  const said = [whyNotPaid(item), item.payoutStatus === null ? whyNotPaidBefore(item) : undefined, ...item.warnings];
  return said.filter((one) => one !== undefined).join(' ');
}
