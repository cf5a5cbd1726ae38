import { moved } from '../support/moved.ts';
import type { WrongBooks } from './wrong.ts';

/** Batches with something wrong in them. @param m the condition of their tenant. */
export const batchesOf = (m: string): WrongBooks[] => [
  {
    what: 'a batch that paid and is called cancelled',
    sql: [
      `update batches set status = 'CANCELLED'
        where id = (select id from batches where ${m} and status = 'COMPLETED' order by id limit 1)`,
    ],
    broken: ['batches-that-paid-were-dispatched', 'batches-are-reported-as-they-are', 'history-leads-to-the-status'],
  },
  {
    what: 'a dispatching batch that nobody works on',
    sql: [`update batches set due_at = null where ${m} and status = 'DISPATCHING'`],
    broken: ['open-batches-are-due'],
  },
  {
    what: 'a step of a batch with another reason than was reported',
    sql: [
      `update state_changes set reason = 'OTHER'
        where id = (select id from state_changes where ${m} and subject = 'batch' and to_state = 'COMPLETED' order by id limit 1)`,
    ],
    broken: ['steps-of-batches-are-reported'],
  },
  {
    what: 'a batch that was reported as paid by a naira more than it was',
    sql: [
      `update event_rows set data = jsonb_set(data::jsonb, '{paidAmount}', ((data::jsonb ->> 'paidAmount')::numeric + 1)::text::jsonb)::text
        where ${m} and type = 'batch.completed'`,
    ],
    broken: ['batches-are-reported-as-they-are'],
  },
  {
    what: 'a batch that was reported to come to a naira more than it did',
    sql: [
      `update event_rows set data = jsonb_set(data::jsonb, '{amount}', ((data::jsonb ->> 'amount')::numeric + 1)::text::jsonb)::text
        where ${m} and type = 'batch.dispatched'`,
    ],
    broken: ['batches-are-reported-as-they-are'],
  },
  {
    what: 'an item to another account than was dispatched',
    sql: [
      `update batch_items set account_number = '9876543210'
        where id = (select i.id from batch_items i join batches b on b.merchant_id = i.merchant_id and b.id = i.batch_id
                     where b.status = 'COMPLETED' order by i.id limit 1)`,
    ],
    broken: ['items-are-those-that-were-seen', 'items-become-payouts-once-expanded'],
  },
  {
    what: 'an item that was looked at before it came',
    sql: [
      `update batch_items set validated_at = ${moved('validated_at', '-1 day')}
        where id = (select id from batch_items where ${m} and is_valid order by id limit 1)`,
    ],
    broken: ['items-were-looked-at-in-time'],
  },
  {
    what: 'a batch that was dispatched at another price than was shown',
    sql: [
      `update batches set dispatched_digest = items_digest
        where id = (select id from batches where ${m} and status = 'COMPLETED' order by id limit 1)`,
    ],
    broken: ['batches-cost-what-was-shown'],
  },
  {
    what: 'a batch that is being changed by an action that is over',
    sql: [
      `update batch_actions
          set batch_id = (select id from batches where ${m} and status = 'VALIDATING' order by id limit 1)
        where id = (select id from batch_actions where ${m} and done_at is not null order by id limit 1)`,
      `update batches b set action_id = a.id
         from batch_actions a
        where a.merchant_id = b.merchant_id and a.mode = b.mode and a.batch_id = b.id and b.status = 'VALIDATING'`,
    ],
    broken: ['batches-are-changed-by-one-action'],
  },
  {
    what: 'an action of another batch, while this one is paid',
    sql: [
      `update batches set action_id = (select id from batch_actions where ${m} order by id limit 1)
        where id = (select id from batches where ${m} and status = 'COMPLETED' order by id limit 1)`,
    ],
    broken: ['batches-are-changed-by-one-action'],
  },
  {
    what: 'a list that pays again what was paid',
    sql: [
      `update batch_items i set origin_item_id = p.id
         from batches b, payouts p
         join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
        where i.merchant_id = b.merchant_id and i.batch_id = b.id and b.status = 'CANCELLED' and p.merchant_id = b.merchant_id
          and p.batch_id = b.origin_batch_id and t.status = 'SUCCESS'`,
    ],
    broken: ['only-what-was-not-paid-is-paid-again'],
  },
  {
    what: 'a list of what another batch than its origin did not pay',
    sql: [`update batches set origin_batch_id = id where ${m} and origin_batch_id is not null`],
    broken: ['only-what-was-not-paid-is-paid-again', 'batches-are-reported-as-they-are'],
  },
  {
    what: 'two payouts that both pay again one that failed',
    sql: [
      `update batch_items set origin_item_id = (
          select i.origin_item_id from batch_items i
            join transactions t on t.merchant_id = i.merchant_id and t.mode = i.mode and t.id = i.id
           where i.origin_item_id is not null and t.status = 'SUCCESS' order by i.id limit 1)
        where batch_id in (select id from batches where ${m} and origin_batch_id is not null and status = 'COMPLETED')`,
    ],
    broken: ['only-what-was-not-paid-is-paid-again'],
  },
  {
    what: 'a list that repeats one that was never paid',
    sql: [
      `update batches set repeated_batch_id = (select id from batches where ${m} and status = 'CANCELLED' order by id limit 1)
        where ${m} and repeated_batch_id is not null`,
    ],
    broken: ['repeated-lists-were-paid-before', 'batches-are-reported-as-they-are'],
  },
];
