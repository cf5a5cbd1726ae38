import type { EventTypes } from '../platform/http/schemas.ts';
import { PayoutSchema } from './schemas.ts';

const payout = (summary: string) => ({ summary, data: PayoutSchema });

/** One for every state that a payout can enter. */
export const payoutEvents: EventTypes = {
  'payout.pending_approval': payout('A payout waits for approval; one that is to be paid now is held.'),
  'payout.scheduled': payout('A payout was accepted for a later date; nothing is held.'),
  'payout.queued': payout('A payout was accepted; amount and charges are held.'),
  'payout.processing': payout('A payout is about to be sent to the bank.'),
  'payout.succeeded': payout('A payout was paid. It can still be reversed.'),
  'payout.failed': payout('A payout was definitely not paid; what was held is free again.'),
  'payout.reversed': payout('The bank returned the money of a payout; amount and charges are back.'),
  'payout.cancelled': payout('A payout was called off before it was sent, or was not approved; nothing is held.'),
};
