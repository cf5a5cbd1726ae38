import { fingerprintSql } from '../ledger/index.ts';
import { type Asked, arrayOf, composed } from '../platform/db/statement.ts';

/**
 * What a connection of the proof is given before its moment: tables of its own for what is in the files, and views of its own
 * that hide the two tables of the books behind "what is there, and what is in the files". PostgreSQL looks for a name among a
 * connection's own first, so that every check reads both without knowing it.
 */
export const PREPARE_ARCHIVE = `
  create temp table archived_events (like events);
  create temp table archived_idempotency_keys (like idempotency_keys);
  create temp view kept_events as select * from events;
  create temp view kept_idempotency_keys as select * from idempotency_keys;
  create temp view events as select * from kept_events union all select * from archived_events;
  create temp view idempotency_keys as select * from kept_idempotency_keys union all select * from archived_idempotency_keys`;

/** A check that reads one of these cannot be made where a file is not there. */
export const READS_ARCHIVED = /\b(from|join)\s+(events|idempotency_keys)\b/;

export interface LoadedLines {
  /** Lines that are an event of this tenant, behind the one before. */
  right: number;
  keys: number;
  /** Of them, up to the sequence to which they are removed. */
  removed: number;
  removed_keys: number;
  /** What is in no table any more, and is read from here. */
  missing: number;
  missing_keys: number;
  /** The last of that; null where there is none. */
  missing_to: bigint | null;
}

/** Takes the lines of a file in: what is not in its table. Where it is, that row is read. */
export const loadLines = (
  { merchant_id, mode, removed_to }: { merchant_id: string; mode: string; removed_to: bigint },
  lines: readonly string[],
): Asked<LoadedLines> =>
  composed<LoadedLines>(
    'verify-load-archive',
    `with lines as materialized (
       select (given.line::json ->> 0)::bigint as sequence, json_populate_record(null::archived_events, given.line::json -> 1) as e,
              case when given.line not like '%, null]'
                   then json_populate_record(null::archived_idempotency_keys, given.line::json -> 2) end as k
         from unnest($1::text[]) as given (line)
     ), loaded as (
       insert into archived_events
       select (l.e).* from lines l
        where not exists (select from kept_events r where r.merchant_id = $2 and r.mode = $3 and r.sequence = l.sequence offset 0)
       returning sequence
     ), loaded_keys as (
       insert into archived_idempotency_keys
       select (l.k).* from lines l
        where (l.k).key is not null
          and not exists (select from kept_idempotency_keys r where r.merchant_id = $2 and r.mode = $3 and r.key = (l.k).key offset 0)
       returning key
     )
     select (count(*) filter (where (l.e).merchant_id = $2 and (l.e).mode = $3 and (l.e).sequence = l.sequence))::int as right,
            count((l.k).key)::int as keys,
            (count(*) filter (where l.sequence <= $4))::int as removed,
            (count((l.k).key) filter (where l.sequence <= $4))::int as removed_keys,
            (select count(*) from loaded)::int as missing, (select count(*) from loaded_keys)::int as missing_keys,
            (select max(sequence) from loaded) as missing_to
       from lines l`,
    [arrayOf('json', lines), merchant_id, mode, removed_to],
  );

/** What was loaded is new to the planner. */
export const analyzeArchive = (): readonly Asked<unknown>[] =>
  ['archived_events', 'archived_idempotency_keys'].map((table) => composed('verify-analyze', `analyze ${table}`, []));

/** Keys that are archived, and are not in a file with what they made; and the other way round. At most $1. */
export const wrongArchivedKeys = (limit: number): Asked<{ merchant_id: string; mode: string; detail: string }> =>
  composed(
    'verify-archived-keys',
    `select coalesce(a.merchant_id, k.merchant_id) as merchant_id, coalesce(a.mode, k.mode) as mode,
            case when k.merchant_id is null then format('key %s of transaction %s is archived and in no file', a.fingerprint, a.transaction_id)
                 when a.merchant_id is null then format('the key of transaction %s is in a file and nowhere else: its request would be carried out again', k.transaction_id)
                 else format('key %s leads to transaction %s, and in its file to %s', a.fingerprint, a.transaction_id, k.transaction_id)
            end as detail
       from archived_keys a
       full join (
         select merchant_id, mode, ${fingerprintSql('key')} as fingerprint, transaction_id from archived_idempotency_keys
       ) k on k.merchant_id = a.merchant_id and k.mode = a.mode and k.fingerprint = a.fingerprint
      where a.merchant_id is null or k.merchant_id is null or a.transaction_id is distinct from k.transaction_id
      limit $1`,
    [limit],
  );
