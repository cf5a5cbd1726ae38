import { type Check, check, sameTenant } from './queries.ts';

const strayActions = check(
  'batches-are-changed-by-one-action',
  'A batch that is being changed by a group action has that action, and nothing is dispatched meanwhile.',
  `select b.merchant_id, b.mode, format('batch %s (%s): action %s is %s', b.id, b.status, b.action_id,
                                        case when a.id is null then 'not there' else 'over' end) as detail
     from batches b
     left join batch_actions a on ${sameTenant('a', 'b')} and a.batch_id = b.id and a.id = b.action_id
    where b.action_id is not null
      and (a.done_at is null and a.id is not null and b.status in ('VALIDATING', 'CANCELLED', 'EXPIRED')) is not true`,
);

/** Only what failed for good or came back is paid again, by one other item of one list. */
const wrongRetries = check(
  'only-what-was-not-paid-is-paid-again',
  'Each item of a list that pays again is of a payout of its origin batch that failed or was returned, and no payout is paid again twice.',
  `select i.merchant_id, i.mode, format('item %s of batch %s pays again %s of batch %s, which is %s', i.id, i.batch_id,
                                        coalesce(i.origin_item_id::text, 'nothing'), coalesce(b.origin_batch_id::text, 'none'),
                                        coalesce(t.status, 'no payout')) as detail
     from batch_items i
     join batches b on ${sameTenant('b', 'i')} and b.id = i.batch_id
     left join batch_items o on ${sameTenant('o', 'i')} and o.id = i.origin_item_id
     left join transactions t on ${sameTenant('t', 'i')} and t.id = i.origin_item_id
    where num_nonnulls(i.origin_item_id, b.origin_batch_id) > 0
      and (o.batch_id = b.origin_batch_id and t.status in ('FAILED', 'REVERSED')) is not true
   union all
   select i.merchant_id, i.mode, format('item %s was paid again by %s payouts', i.origin_item_id, count(*)) as detail
     from batch_items i
     join transactions t on ${sameTenant('t', 'i')} and t.id = i.id
    where i.origin_item_id is not null and t.status not in ('FAILED', 'REVERSED', 'CANCELLED')
    group by i.merchant_id, i.mode, i.origin_item_id
   having count(*) > 1
   union all
   select merchant_id, mode, format('batch %s has %s items that pay again %s', batch_id, count(*), origin_item_id) as detail
     from batch_items
    where origin_item_id is not null
    group by merchant_id, mode, batch_id, origin_item_id
   having count(*) > 1`,
);

/** What was not paid, or was paid later, is nobody's earlier list. */
const wrongRepeats = check(
  'repeated-lists-were-paid-before',
  'A list that was made to pay the same people once more names one that had been paid, and pays nothing again of what failed.',
  `select b.merchant_id, b.mode, format('batch %s repeats batch %s, which is %s', b.id, b.repeated_batch_id,
                                        coalesce(o.status, 'not there')) as detail
     from batches b
     left join batches o on ${sameTenant('o', 'b')} and o.id = b.repeated_batch_id
    where b.repeated_batch_id is not null
      and (o.status in ('COMPLETED', 'PARTIALLY_COMPLETED') and o.dispatched_at <= b.created_at
           and o.updated_at <= b.created_at and b.origin_batch_id is null) is not true`,
);

export const batchGroupChecks: readonly Check[] = [strayActions, wrongRetries, wrongRepeats];
