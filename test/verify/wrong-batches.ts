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
      `update batch_items set validated_at = validated_at - interval '1 day'
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
];
