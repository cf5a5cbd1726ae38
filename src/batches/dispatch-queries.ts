import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { Mode } from '../platform/tenant.ts';
import type { BatchRecord, ItemRow } from './queries.ts';

export interface ChunkAmount {
  /** The chunk's number among those that were asked for, from 0. */
  chunk: number;
  amount_minor: bigint;
  items: number;
  first_position: number;
  last_position: number;
}

/**
 * The next `$5` items that can be paid after position `$4`, in chunks of `$6`: each amount in a chunk with its number
 * of items, which is enough to price it.
 */
export const listChunkAmounts = statement<ChunkAmount>(
  'list-batch-chunk-amounts',
  `select ((place - 1) / $6)::int as chunk, amount_minor, count(*)::int as items,
          min(position) as first_position, max(position) as last_position
     from (
       select page.amount_minor, page.position, row_number() over (order by page.position) as place
         from (
           select amount_minor, position from batch_items
            where merchant_id = $1 and mode = $2 and batch_id = $3 and is_valid and position > $4
            order by position limit $5
         ) page
     ) placed
    group by 1, 2
    order by 1`,
);

/** The hash of one item, over every field that a clerk sees. */
export const ITEM_HASH = `sha256(convert_to(json_build_array(position, bank_code, account_number, amount_minor, narration,
                                                 phone_number, account_name, is_valid)::text, 'UTF8')) as whole`;

/** The hash of all items of a batch, in order. */
export const ITEMS_DIGEST = `encode(sha256(coalesce(string_agg(whole, ''::bytea order by position), ''::bytea)), 'hex') as items`;

/** A fingerprint of every field that a clerk sees of each item, in order. */
export const digestItems = statement<{ items: string }>(
  'digest-batch-items',
  `select ${ITEMS_DIGEST}
     from (
       select position, ${ITEM_HASH}
         from batch_items
        where merchant_id = $1 and mode = $2 and batch_id = $3
     ) hashed`,
);

/** A SHA-256 of all fields of an item `i` that become part of its payout. */
export const ITEM_FINGERPRINT = `sha256(convert_to(json_build_array(i.id, i.position, i.bank_code, i.bank_name,
                 i.account_number, i.account_name, i.amount_minor, i.narration, i.phone_number)::text, 'UTF8'))`;

/**
 * For each chunk, given by its first and last position, a fingerprint of the items that would be paid: all fields that
 * become part of their payouts. In the order of the given chunks.
 */
export const digestChunks = statement<{ digest: string }>(
  'digest-batch-chunks',
  `select encode(sha256(string_agg(hashed.item, ''::bytea order by hashed.position)), 'hex') as digest
     from unnest($4::int[], $5::int[]) with ordinality as chunk (first_position, last_position, place)
    cross join lateral (
      select i.position, ${ITEM_FINGERPRINT} as item
        from batch_items i
       where i.merchant_id = $1 and i.mode = $2 and i.batch_id = $3 and i.is_valid
         and i.position between chunk.first_position and chunk.last_position
       -- By itself, or all items of the batch would be read for each chunk.
       order by i.position offset 0
    ) hashed
    group by chunk.place
    order by chunk.place`,
);

/** Stores a fingerprint, unless the batch has changed since its items were read. */
export const updateBatchDigest = statement(
  'update-batch-digest',
  `update batches set items_digest = $5, digest_version = $4
    where merchant_id = $1 and mode = $2 and id = $3 and version = $4 and status in ('READY', 'NEEDS_FIX', 'PENDING_APPROVAL')`,
);

export const updateBatchesDispatched = setStatement<{
  merchant_id: string;
  mode: Mode;
  id: string;
  open_items: number;
  amount_minor: bigint;
  fee_minor: bigint;
  vat_minor: bigint;
  stamp_duty_minor: bigint;
  dispatched_digest: string;
  counted_on: string;
  allow_duplicate: boolean;
}>(
  'update-batches-dispatched',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    open_items: 'integer',
    amount_minor: 'bigint',
    fee_minor: 'bigint',
    vat_minor: 'bigint',
    stamp_duty_minor: 'bigint',
    dispatched_digest: 'text',
    counted_on: 'date',
    allow_duplicate: 'boolean',
  },
  `update batches b
      set open_items = rows.open_items, amount_minor = rows.amount_minor, fee_minor = rows.fee_minor,
          vat_minor = rows.vat_minor, stamp_duty_minor = rows.stamp_duty_minor,
          dispatched_digest = rows.dispatched_digest, counted_on = rows.counted_on,
          allow_duplicate = rows.allow_duplicate
     from :rows
    where b.merchant_id = rows.merchant_id and b.mode = rows.mode and b.id = rows.id`,
);

export interface ChunkRow {
  merchant_id: string;
  mode: Mode;
  batch_id: string;
  /** From 1. */
  chunk: number;
  /** The transaction that its holds belong to in the books. */
  id: string;
  first_position: number;
  last_position: number;
  item_count: number;
  amount_minor: bigint;
  fee_minor: bigint;
  vat_minor: bigint;
  stamp_duty_minor: bigint;
  amount_hold_id: string;
  fee_hold_id: string | null;
  vat_hold_id: string | null;
  stamp_duty_hold_id: string | null;
  due_at: Date | null;
  /** The digest of its items at the dispatch; null for chunks of releases that did not keep it. */
  items_digest: string | null;
}

export const insertChunks = setInsert<ChunkRow>('batch_chunks', {
  merchant_id: 'uuid',
  mode: 'text',
  batch_id: 'uuid',
  chunk: 'integer',
  id: 'uuid',
  first_position: 'integer',
  last_position: 'integer',
  item_count: 'integer',
  amount_minor: 'bigint',
  fee_minor: 'bigint',
  vat_minor: 'bigint',
  stamp_duty_minor: 'bigint',
  amount_hold_id: 'uuid',
  fee_hold_id: 'uuid',
  vat_hold_id: 'uuid',
  stamp_duty_hold_id: 'uuid',
  due_at: 'timestamptz',
  items_digest: 'text',
});

/**
 * The next due chunk of each tenant that has fewer than `$2` payouts waiting to be sent, counting `$3` for a chunk that
 * is being expanded; longest due first. Reads across merchants, locking nothing.
 */
export const listDueChunks = statement<ChunkRow>(
  'list-due-batch-chunks',
  `select c.*
     from (
       select distinct on (merchant_id, mode) * from batch_chunks
        where due_at is not null and due_at <= $1
        order by merchant_id, mode, due_at, batch_id, chunk
     ) c
    cross join lateral (
       select count(*) as payouts
         from (
           select 1 from payouts p
            where p.merchant_id = c.merchant_id and p.mode = c.mode and p.due_at <= $1 and p.next_step = 'SEND'
            -- From the index of what is due, however many have ended.
            order by p.due_at limit $2
         ) first_ones
     ) waiting
    cross join lateral (
       select count(*) as chunks from batch_chunks o
        where o.merchant_id = c.merchant_id and o.mode = c.mode and o.due_at > $1 and o.failed_at is null
     ) opening
    where waiting.payouts + opening.chunks * $3 < $2
    order by c.due_at`,
);

export const DUE_CHUNKS = queue(listDueChunks, 'batch_chunks', 'due_at is not null and due_at <= $1');

/**
 * Moves a chunk's date if no other worker did so first: this leases it to one worker, and puts off a chunk that could
 * not be expanded.
 */
export const updateChunkDue = statement<{ id: string }>(
  'update-batch-chunk-due',
  `update batch_chunks set due_at = $6, failed_at = $7
    where merchant_id = $1 and mode = $2 and batch_id = $3 and chunk = $4 and due_at = $5
    returning id`,
);

/** Marks a chunk as expanded; after the last one, the items of the batch have dedupe keys of their own. */
export const updateChunksExpanded = setStatement<Pick<ChunkRow, 'merchant_id' | 'mode' | 'batch_id' | 'chunk'>>(
  'update-batch-chunks-expanded',
  { merchant_id: 'uuid', mode: 'text', batch_id: 'uuid', chunk: 'integer' },
  `with opened as (
     update batch_chunks c
        set due_at = null
       from :rows
      where c.merchant_id = rows.merchant_id and c.mode = rows.mode and c.batch_id = rows.batch_id
        and c.chunk = rows.chunk
     returning c.merchant_id, c.mode, c.batch_id, c.chunk
   )
   update batches b
      set holds_keys = false
     from (select distinct merchant_id, mode, batch_id from opened) held
    where b.merchant_id = held.merchant_id and b.mode = held.mode and b.id = held.batch_id
      and not exists (
        select 1 from batch_chunks c
         where c.merchant_id = b.merchant_id and c.mode = b.mode and c.batch_id = b.id and c.due_at is not null
           and c.chunk not in (select chunk from opened where batch_id = b.id)
      )`,
);

/** The batch of a chunk, with the day against whose limit its payouts were counted. */
export const findDispatchedBatch = statement<BatchRecord & { counted_on: string | null }>(
  'find-dispatched-batch',
  'select * from batches where merchant_id = $1 and mode = $2 and id = $3',
);

/** What a payout is made of. */
export type ChunkItem = Pick<
  ItemRow,
  'id' | 'amount_minor' | 'bank_code' | 'bank_name' | 'account_number' | 'account_name' | 'narration' | 'phone_number'
>;

export const listChunkItems = statement<ChunkItem>(
  'list-batch-chunk-items',
  `select id, amount_minor, bank_code, bank_name, account_number, account_name, narration, phone_number
     from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and is_valid and position between $4 and $5
    order by position`,
);
