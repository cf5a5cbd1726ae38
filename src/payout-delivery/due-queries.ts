import { type PayoutRecord, RECORD } from '../payouts/index.ts';
import { ofDueTenants, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { Mode } from '../platform/tenant.ts';

/** The tenants with due payouts, who waits longest first. Reads across merchants, outside money transactions, and locks nothing. */
export const listTenantsWithDuePayouts = ofDueTenants<{ merchant_id: string; mode: Mode }>(
  'list-tenants-with-due-payouts',
  { table: 'payouts', condition: 'due_at is not null', now: '$1' },
  'select merchant_id, mode from tenants order by due_at, merchant_id',
);

export const DUE_PAYOUTS = queue(listTenantsWithDuePayouts, 'payouts', 'due_at is not null and due_at <= $1');

/** Each payout `due` by its key, for the tenant that was asked for: a distributed database asks one server. */
const TRANSACTION_OF_DUE = `cross join lateral (select * from transactions where merchant_id = $1 and mode = $2 and id = due.id offset 0) t`;
const PAYOUT_OF_DUE = `cross join lateral (select * from payouts where merchant_id = $1 and mode = $2 and id = due.id offset 0) p
    ${TRANSACTION_OF_DUE}`;

/**
 * Sent before `lock-due-payouts` and `list-due-payees` in a transaction. These are planned once, and while the table is
 * small PostgreSQL estimates that reading and sorting all payouts of a tenant is as cheap as reading the first few in
 * order.
 */
export const readInIndexOrder = statement(
  'read-in-index-order',
  `select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
);

/**
 * Locks due payouts of one tenant, skipping those that another worker has locked: singles first, since somebody waits
 * for each of them, then items of batches; within each, the oldest due first.
 */
export const lockDuePayouts = statement<PayoutRecord>(
  'lock-due-payouts',
  `with singles as materialized (
     select p.merchant_id, p.mode, p.id from payouts p
      where p.merchant_id = $1 and p.mode = $2 and p.due_at <= $3 and p.batch_id is null
      order by p.due_at, p.id
      limit $4
        for update skip locked
   ), items as materialized (
     select p.merchant_id, p.mode, p.id from payouts p
      -- Not "is not null": that would invite PostgreSQL to read whole batches through their own index.
      where p.merchant_id = $1 and p.mode = $2 and p.due_at <= $3 and num_nonnulls(p.batch_id) = 1
      order by p.due_at, p.id
      limit $4 - (select count(*) from singles)
        for update skip locked
   )
   select ${RECORD}
     from (select * from singles union all select * from items) due
     ${PAYOUT_OF_DUE}`,
);

/**
 * The same of many tenants, each up to its number in `$4`: for one server, since a distributed database locks rows of one shard
 * at a time.
 */
export const lockDuePayoutsOfMany = statement<PayoutRecord>(
  'lock-due-payouts-of-many',
  `select ${RECORD}
     from unnest($1::uuid[], $2::text[], $4::integer[]) as wanted (merchant_id, mode, most)
    cross join lateral (
      with singles as materialized (
        select d.id from payouts d
         where d.merchant_id = wanted.merchant_id and d.mode = wanted.mode and d.due_at <= $3 and d.batch_id is null
         order by d.due_at, d.id
         limit wanted.most
           for update skip locked
      ), items as materialized (
        select d.id from payouts d
         where d.merchant_id = wanted.merchant_id and d.mode = wanted.mode and d.due_at <= $3
           and num_nonnulls(d.batch_id) = 1
         order by d.due_at, d.id
         limit wanted.most - (select count(*) from singles)
           for update skip locked
      )
      select id from singles union all select id from items
    ) due
    cross join lateral (
      select * from payouts where merchant_id = wanted.merchant_id and mode = wanted.mode and id = due.id offset 0
    ) p
    cross join lateral (
      select * from transactions where merchant_id = wanted.merchant_id and mode = wanted.mode and id = due.id offset 0
    ) t`,
);

/** The next due payouts of one tenant as `lock-due-payouts` has them, without a lock: singles first. */
const nextDue = (only = ''): string => {
  const of = (kind: string, batch: string) =>
    `(select p.id, p.sent_at, p.due_at, ${kind} as kind from payouts p
       where p.merchant_id = $1 and p.mode = $2 and p.due_at <= $3 and ${batch}${only}
       order by p.due_at, p.id limit $4)`;
  return `(select id, sent_at, due_at, kind
             from (${of('1', 'p.batch_id is null')} union all ${of('2', 'num_nonnulls(p.batch_id) = 1')}) found
            order by kind, due_at, id limit $4) due`;
};

/** What is due of one tenant, without a lock: read to find out which payouts cannot be leased. */
export const listDuePayouts = statement<{ id: string }>(
  'list-due-payouts',
  `select due.id from ${nextDue(' and p.id <> all ($5::uuid[])')} order by due.kind, due.due_at, due.id`,
);

/** The payees of the next due payouts of one tenant that were never sent, without a lock. */
export const listDuePayees = statement<{ beneficiary_account_name: string }>(
  'list-due-payees',
  `select t.beneficiary_account_name
     from ${nextDue()}
     ${TRANSACTION_OF_DUE}
    where due.sent_at is null`,
);

/** The same of many tenants, each up to its number in `$4`. */
export const listDuePayeesOfMany = statement<{ beneficiary_account_name: string }>(
  'list-due-payees-of-many',
  `select t.beneficiary_account_name
     from unnest($1::uuid[], $2::text[], $4::integer[]) as wanted (merchant_id, mode, most)
    cross join lateral (
      select id, sent_at
        from ((select d.id, d.sent_at, d.due_at, 1 as kind from payouts d
                where d.merchant_id = wanted.merchant_id and d.mode = wanted.mode and d.due_at <= $3 and d.batch_id is null
                order by d.due_at, d.id limit wanted.most)
              union all
              (select d.id, d.sent_at, d.due_at, 2 from payouts d
                where d.merchant_id = wanted.merchant_id and d.mode = wanted.mode and d.due_at <= $3
                  and num_nonnulls(d.batch_id) = 1
                order by d.due_at, d.id limit wanted.most)) found
       order by kind, due_at, id limit wanted.most
    ) due
    cross join lateral (
      select * from transactions where merchant_id = wanted.merchant_id and mode = wanted.mode and id = due.id offset 0
    ) t
    where due.sent_at is null`,
);

/** As `lock-due-payouts`, for these payouts alone. */
export const lockNamedPayouts = statement<PayoutRecord>(
  'lock-named-payouts',
  `with due as materialized (
     select p.merchant_id, p.mode, p.id from payouts p
      where p.merchant_id = $1 and p.mode = $2 and p.due_at <= $3 and p.id = any($4::uuid[])
        for update skip locked
   )
   select ${RECORD}
     from due
     ${PAYOUT_OF_DUE}`,
);
