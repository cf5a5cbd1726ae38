import { setQuestion, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

/**
 * A dedupe key of a payout. Scope `PAID`: at the time at which it is paid. `WAITING`: it may be paid as soon as people
 * approve it. A day in Lagos, such as `2026-11-20`: a schedule for that day, at the time at which it was requested.
 */
interface DedupeKeyRow {
  merchant_id: string;
  mode: Mode;
  subject_id: string;
  scope: string;
  value: string;
  batch_id: string | null;
  from_at: Date;
  until_at: Date;
  window_seconds: number;
  is_meant: boolean;
  /** The number of the first event of the movement that writes it; the ledger fills it in. */
  sequence: bigint;
}

/** A payout that is paid at another time than planned moves its key to that time. */
export const upsertDedupeKeys = setStatement<DedupeKeyRow>(
  'upsert-dedupe-keys',
  {
    merchant_id: 'uuid',
    mode: 'text',
    subject_id: 'uuid',
    scope: 'text',
    value: 'text',
    batch_id: 'uuid',
    from_at: 'timestamptz',
    until_at: 'timestamptz',
    window_seconds: 'integer',
    is_meant: 'boolean',
    sequence: 'bigint',
  },
  `insert into dedupe_keys (
     merchant_id, mode, subject_id, scope, value, batch_id, from_at, until_at, window_seconds, is_meant, sequence
   )
   select rows.merchant_id, rows.mode, rows.subject_id, rows.scope, rows.value, rows.batch_id, rows.from_at,
          rows.until_at, rows.window_seconds, rows.is_meant, rows.sequence
     from :rows
   on conflict (merchant_id, mode, subject_id, scope) do update
      set from_at = excluded.from_at, until_at = excluded.until_at, window_seconds = excluded.window_seconds,
          is_meant = excluded.is_meant, sequence = excluded.sequence`,
);

/** The keys of a payout in one scope, or with a null scope all of its keys. */
export const deleteDedupeKeys = setStatement<
  Pick<DedupeKeyRow, 'merchant_id' | 'mode' | 'subject_id'> & { scope: string | null }
>(
  'delete-dedupe-keys',
  { merchant_id: 'uuid', mode: 'text', subject_id: 'uuid', scope: 'text' },
  `delete from dedupe_keys k
    using :rows
    where k.merchant_id = rows.merchant_id and k.mode = rows.mode and k.subject_id = rows.subject_id
      and (rows.scope is null or k.scope = rows.scope)`,
);

/** Removes keys that no window reaches back to: of payouts made before `$1`, an id. */
export const deleteOldDedupeKeys = statement<{ gone: number }>(
  'delete-old-dedupe-keys',
  `with deleted as (
     delete from dedupe_keys k
      using merchants m cross join (values ('SANDBOX'), ('LIVE')) modes (mode)
      where k.merchant_id = m.id and k.mode = modes.mode and k.subject_id < $1 and k.until_at < $2
     returning 1
   )
   select count(*)::int as gone from deleted`,
);

/** Whether another payout or batch has this key between `from_at` and `until_at`, both ends excluded. */
export interface KeyQuestion {
  merchant_id: string;
  mode: Mode;
  scope: string;
  value: string;
  /** The payout or batch that asks: its own keys, and those of the batch's items, do not count. */
  party_id: string;
  from_at: Date;
  until_at: Date;
  /** Between items of two batches, the earlier beginning. */
  batch_from_at: Date;
  /** Whether batches count that are about to be paid and have no keys of their own yet. */
  asks_batches: boolean;
  /** Counts only keys that were noted after this event, of payouts that do not allow duplicates; null counts all. */
  unknown_since: bigint | null;
}

/** The last one that has the key: a payout, or a row of a batch that is about to be paid or waits for approval. */
export interface TakenKey {
  place: number;
  scope: string;
  subject_id: string;
  batch_id: string | null;
  from_at: Date;
  /** The position of a row that is no payout yet; null for a payout. */
  position: number | null;
  batch_status: string | null;
}

/** SQL for the code of the bank at which an item is paid. */
export const bankCodeOf = (item: string): string => `coalesce(${item}.directory_bank_code, ${item}.bank_code)`;

interface Payment {
  /** SQL for the columns of the batch and its items, as the statement names them. */
  merchant: string;
  mode: string;
  accountNumber: string;
  amountMinor: string;
  bankCode: string;
}

/**
 * SQL for the first item `i` of a batch `b` that is this payment and is still to be paid: any item where the batch
 * `isWhole`, otherwise an item of a chunk that is still to be expanded. Most batches have no such payment, and nothing
 * more is read of them. Chunks that were expanded are skipped one by one: a list may have the same payment a hundred
 * thousand times.
 * @param isWhole a condition on `b`
 */
export function firstItemToBePaid(payment: Payment, isWhole: string): string {
  const { merchant, mode, accountNumber, amountMinor, bankCode } = payment;
  const items = `batch_items i
              where i.merchant_id = ${merchant} and i.mode = ${mode} and i.batch_id = b.id
                and i.account_number = ${accountNumber} and i.amount_minor = ${amountMinor} and i.position > 0
                and i.is_valid and ${bankCodeOf('i')} = ${bankCode}`;
  return `select i.id, i.position
            from (select 1 from ${items} limit 1) any_one
           cross join lateral (
             (select i.id, i.position from ${items} and ${isWhole} order by i.position limit 1)
             union all
             (select i.id, i.position
                from batch_chunks c
               cross join lateral (
                 select i.id, i.position from ${items} and i.position between c.first_position and c.last_position
                  order by i.position limit 1
               ) i
               where c.merchant_id = ${merchant} and c.mode = ${mode} and c.batch_id = b.id and c.due_at is not null
                 and not ${isWhole}
               order by c.chunk limit 1)
             limit 1
           ) i`;
}

const ASKED: Payment = {
  merchant: 'rows.merchant_id',
  mode: 'rows.mode',
  accountNumber: `split_part(rows.value, ':', 2)`,
  amountMinor: `split_part(rows.value, ':', 3)::bigint`,
  bankCode: `split_part(rows.value, ':', 1)`,
};

/** Asked under the lock of the books, which every movement takes that writes a key or dispatches a batch. */
export const findTakenKeys = setQuestion<KeyQuestion, TakenKey>(
  'find-taken-keys',
  {
    merchant_id: 'uuid',
    mode: 'text',
    scope: 'text',
    value: 'text',
    party_id: 'uuid',
    from_at: 'timestamptz',
    until_at: 'timestamptz',
    batch_from_at: 'timestamptz',
    asks_batches: 'boolean',
    unknown_since: 'bigint',
  },
  `select rows.place::int as place, taken.*
     from :rows
    cross join lateral (
      (select k.scope, k.subject_id, k.batch_id, k.from_at, null::int as position, null::text as batch_status
         from dedupe_keys k
        where k.merchant_id = rows.merchant_id and k.mode = rows.mode and k.scope = rows.scope and k.value = rows.value
          and k.until_at > rows.batch_from_at and k.until_at > '-infinity' and k.from_at < rows.until_at
          and (k.until_at > rows.from_at or k.batch_id is not null)
          and coalesce(k.batch_id, k.subject_id) <> rows.party_id
          and (rows.unknown_since is null or (not k.is_meant and k.sequence > rows.unknown_since))
        order by k.until_at desc limit 1)
      union all
      (select 'PAID', i.id, b.id, coalesce(b.dispatched_at, b.updated_at), i.position, b.status
         from batches b
        cross join lateral (
          ${firstItemToBePaid(ASKED, `(b.status = 'PENDING_APPROVAL')`)}
        ) i
        where rows.asks_batches and b.merchant_id = rows.merchant_id and b.mode = rows.mode and b.holds_keys
          and b.id <> rows.party_id
          and (rows.unknown_since is null or (
            b.status <> 'PENDING_APPROVAL' and not b.allow_duplicate and b.holding_since > rows.unknown_since
          ))
        limit 1)
      limit 1
    ) taken`,
);
