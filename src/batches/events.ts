import type { EventTypes } from '../platform/http/schemas.ts';
import { BatchSchema } from './schemas.ts';

const batch = (summary: string) => ({ summary, data: BatchSchema });

/** One for every state that a batch can enter, and for every change of a batch. */
export const batchEvents: EventTypes = {
  'batch.created': batch('A bulk payout was taken in and is being validated.'),
  'batch.ready': batch('Every item can be paid; also after an approval that was not given.'),
  'batch.needs_fix': batch('Some items cannot be paid; correct or drop them.'),
  'batch.item_updated': batch('An item was changed and validated again.'),
  'batch.item_dropped': batch('An item was removed.'),
  'batch.items_changed': batch(
    'Up to 500 items of one problem were changed, accepted or removed together, or that was undone.',
  ),
  'batch.pending_approval': batch('A dispatch waits for approval; nothing is held.'),
  'batch.dispatched': batch('The total is held and the payouts are on their way.'),
  'batch.completed': batch('Every payout of the batch succeeded.'),
  'batch.partially_completed': batch('Every payout of the batch ended, and at least one failed.'),
  'batch.cancelled': batch('A bulk payout was called off before its dispatch.'),
  'batch.expired': batch('Nobody touched the bulk payout for 7 days.'),
};
