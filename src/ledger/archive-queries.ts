import { hash } from 'node:crypto';
import { setInsert, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

/** The one type of events that are archived. */
export const ARCHIVED_TYPE = 'transaction.succeeded';

/**
 * What may be archived: events of transactions that one transfer between wallets made, which end as they begin, with
 * the key of their request. An event with a key that leads to something else stays.
 */
const OF_TRANSFERS = `e.type = '${ARCHIVED_TYPE}'
      and (e.idempotency_key is null
           or k.transaction_id = e.subject_id and coalesce(k.event_sequence, e.sequence) = e.sequence)`;

/** The key as the table `archived_keys` stores it. */
export const fingerprintOf = (key: string): string => hash('sha256', key, 'hex').slice(0, 32);

/** The same in SQL. */
export const fingerprintSql = (key: string): string =>
  `encode(substring(sha256(convert_to(${key}, 'UTF8')) from 1 for 16), 'hex')::uuid`;

export interface ArchivableRow {
  sequence: bigint;
  /** It happened before the given time. */
  is_old: boolean;
  has_key: boolean;
  /** Its text can be put together. */
  is_readable: boolean;
  /** Its line in the file: `[sequence, event, key or null]`, as PostgreSQL writes the rows. */
  line: string;
}

/** Of a tenant, after the sequence $3 and up to $4, in order. $5 the time before which an event is old, $6 how many. */
export const listArchivable = statement<ArchivableRow>(
  'list-archivable-events',
  `select e.sequence, e.created_at < $5::timestamptz as is_old, k.key is not null as has_key, e.data is not null as is_readable,
          coalesce(json_build_array(e.sequence, e, k)::text, '') as line
     from events e
     left join lateral (
       select * from idempotency_keys where merchant_id = $1 and mode = $2 and key = e.idempotency_key offset 0
     ) k on true
    where e.merchant_id = $1 and e.mode = $2 and e.sequence > $3 and e.sequence <= $4
      and ${OF_TRANSFERS}
    order by e.sequence limit $6`,
);

/** How far the slowest event reader has read; null where there is none. */
export const findSlowestReader = statement<{ read_to: bigint | null }>(
  'find-slowest-event-reader',
  'select min(event_sequence) as read_to from event_cursors where merchant_id = $1 and mode = $2',
);

export interface EventArchiveRow {
  merchant_id: string;
  mode: Mode;
  number: number;
  id: string;
  first_sequence: bigint;
  last_sequence: bigint;
  events: bigint;
  keys: bigint;
  file_name: string;
  file_bytes: bigint;
  file_hash: string;
  content_hash: string;
  head: string;
  archived_at: Date;
  removed_to: bigint;
}

const ARCHIVE = `merchant_id, mode, number, id, first_sequence, last_sequence, events, keys, file_name, file_bytes, file_hash,
          content_hash, head, archived_at, removed_to`;

export const listArchivesOf = statement<EventArchiveRow>(
  'list-event-archives-of-tenant',
  `select ${ARCHIVE} from event_archives where merchant_id = $1 and mode = $2 order by number`,
);

/** The files of all tenants, each tenant's in the order of its chain. */
export const listAllArchives = statement<EventArchiveRow>(
  'list-event-archives',
  `select ${ARCHIVE} from event_archives order by merchant_id, mode, number`,
);

/** A file that the operator has abandoned. */
export interface LostArchiveRow {
  merchant_id: string;
  mode: Mode;
  number: number;
  reason: string;
  abandoned_by: string;
  abandoned_at: Date;
  /** Since when it is a file like the others again; null where it has not been there since. */
  found_at: Date | null;
}

const LOST = 'merchant_id, mode, number, reason, abandoned_by, abandoned_at, found_at';

export const listLostArchivesOf = statement<LostArchiveRow>(
  'list-lost-archives-of-tenant',
  `select ${LOST} from lost_archives where merchant_id = $1 and mode = $2 and found_at is null order by number`,
);

export const listAllLostArchives = statement<LostArchiveRow>(
  'list-lost-archives',
  `select ${LOST} from lost_archives order by merchant_id, mode, number`,
);

/** Who abandoned it first stays, unless it was there again since. */
export const insertLostArchive = statement(
  'insert-lost-archive',
  `insert into lost_archives as l (${LOST}) values ($1, $2, $3, $4, $5, $6, null)
   on conflict (merchant_id, mode, number) do update
      set reason = excluded.reason, abandoned_by = excluded.abandoned_by, abandoned_at = excluded.abandoned_at, found_at = null
    where l.found_at is not null`,
);

export const updateArchiveFound = statement(
  'update-lost-archive-found',
  'update lost_archives set found_at = $4 where merchant_id = $1 and mode = $2 and number = $3 and found_at is null',
);

/** The sequence of the last event of a tenant that is in a file; null where none is. */
export const findArchivedTo = statement<{ last_sequence: bigint | null }>(
  'find-archived-to',
  'select max(last_sequence) as last_sequence from event_archives where merchant_id = $1 and mode = $2',
);

export const insertArchive = setInsert<EventArchiveRow>('event_archives', {
  merchant_id: 'uuid',
  mode: 'text',
  number: 'integer',
  id: 'uuid',
  first_sequence: 'bigint',
  last_sequence: 'bigint',
  events: 'bigint',
  keys: 'bigint',
  file_name: 'text',
  file_bytes: 'bigint',
  file_hash: 'text',
  content_hash: 'text',
  head: 'text',
  archived_at: 'timestamptz',
  removed_to: 'bigint',
});

/** Locks a file, so that no other process removes its rows meanwhile. */
export const lockArchive = statement<{ removed_to: bigint }>(
  'lock-event-archive',
  'select removed_to from event_archives where merchant_id = $1 and mode = $2 and number = $3 for update',
);

export const updateRemovedTo = statement(
  'update-event-archive-removed-to',
  'update event_archives set removed_to = $4 where merchant_id = $1 and mode = $2 and number = $3',
);

/**
 * Removes the rows that are exactly what these lines of a file say, and records their keys as archived, in one
 * statement: at every moment a key is in one of its two tables. `offset 0` makes PostgreSQL look up each line by
 * itself, through the index.
 */
export const removeArchived = statement<{ events: bigint; keys: bigint }>(
  'remove-archived-events',
  `with lines as materialized (
     select json_populate_record(null::events, given.line::json -> 1) as in_file,
            case when given.line not like '%, null]'
                 then json_populate_record(null::idempotency_keys, given.line::json -> 2) end as key_in_file
       from unnest($3::text[]) as given (line)
   ), same as materialized (
     select found.sequence
       from lines l
      cross join lateral (
        select e.sequence from events e
         where e.merchant_id = $1 and e.mode = $2 and e.sequence = (l.in_file).sequence and e is not distinct from l.in_file
        offset 0
      ) found
   ), same_keys as materialized (
     select found.key
       from lines l
      cross join lateral (
        select k.key from idempotency_keys k
         where k.merchant_id = $1 and k.mode = $2 and k.key = (l.key_in_file).key and k is not distinct from l.key_in_file
        offset 0
      ) found
   ), gone as (
     delete from event_rows
      where merchant_id = $1 and mode = $2 and sequence = any (array(select sequence from same))
      returning sequence
   ), gone_keys as (
     delete from idempotency_keys
      where merchant_id = $1 and mode = $2 and key = any (array(select key from same_keys))
      returning merchant_id, mode, key, transaction_id
   ), kept as (
     insert into archived_keys (merchant_id, mode, fingerprint, transaction_id)
     select merchant_id, mode, ${fingerprintSql('key')}, transaction_id from gone_keys
     returning transaction_id
   )
   select (select count(*) from gone) as events, (select count(*) from kept) as keys`,
);
