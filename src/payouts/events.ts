import type { EventTypes } from '../platform/http/event-types.ts';
import { BatchSchema } from './bulk/schemas.ts';
import { OwnLimitChangedSchema } from './limits/schemas.ts';
import { PayoutSchema } from './schemas.ts';

const payout = (summary: string) => ({ summary, data: PayoutSchema });
const batch = (summary: string) => ({ summary, data: BatchSchema });

/** One for every state that a payout or a batch can enter, and for every change of a batch. */
export const payoutEvents: EventTypes = {
  'payout.pending_approval': payout('A payout waits for approval; one that is to be paid now is held.'),
  'payout.scheduled': payout('A payout was accepted for a later date; nothing is held.'),
  'payout.queued': payout('A payout was accepted; amount and charges are held.'),
  'payout.processing': payout('A payout is about to be sent to the bank.'),
  'payout.succeeded': payout('A payout was paid. It can still be reversed.'),
  'payout.failed': payout('A payout was definitely not paid; what was held is free again.'),
  'payout.reversed': payout('The bank returned the money of a payout; amount and charges are back.'),
  'payout.cancelled': payout('A payout was called off before it was sent, or was not approved; nothing is held.'),
  'batch.created': batch('A bulk payout was taken in and is being validated.'),
  'batch.ready': batch('Every item can be paid; also after an approval that was not given.'),
  'batch.needs_fix': batch('Some items cannot be paid; correct or drop them.'),
  'batch.item_updated': batch('An item was changed and validated again.'),
  'batch.item_dropped': batch('An item was removed.'),
  'batch.pending_approval': batch('A dispatch waits for approval; nothing is held.'),
  'batch.dispatched': batch('The total is held and the payouts are on their way.'),
  'batch.completed': batch('Every payout of the batch succeeded.'),
  'batch.partially_completed': batch('Every payout of the batch ended, and at least one failed.'),
  'batch.cancelled': batch('A bulk payout was called off before its dispatch.'),
  'batch.expired': batch('Nobody touched the bulk payout for 7 days.'),
  'limit.changed': { summary: 'The merchant changed its own limits.', data: OwnLimitChangedSchema },
};
