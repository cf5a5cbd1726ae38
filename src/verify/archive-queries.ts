import { fingerprintSql } from '../ledger/index.ts';
import { type Asked, arrayOf, composed, statement } from '../platform/db/statement.ts';

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

/** Whether the proof's tables are distributed. */
export const findCitus = statement<{ is_there: boolean }>(
  'verify-find-citus',
  `select exists (select from pg_extension where extname = 'citus') as is_there`,
);

/** Tables that a proof fills from the files, and where it finds what is not in them. */
export interface Scratch {
  events: string;
  keys: string;
  keptEvents: string;
  keptKeys: string;
  isDistributed: boolean;
}

/** As `PREPARE_ARCHIVE` makes it. */
export const SCRATCH: Scratch = {
  events: 'archived_events',
  keys: 'archived_idempotency_keys',
  keptEvents: 'kept_events',
  keptKeys: 'kept_idempotency_keys',
  isDistributed: false,
};

/** @param name of this proof alone: another one's tables are made, and seen by nobody, at the same time */
export const distributedScratch = (name: string): Scratch => ({
  events: `proof_events_${name}`,
  keys: `proof_keys_${name}`,
  keptEvents: 'events',
  keptKeys: 'idempotency_keys',
  isDistributed: true,
});

/** For names of one proof: nothing of it is kept prepared. */
const once = (text: string, values: readonly unknown[] = []): Asked<unknown> =>
  composed('verify-scratch', text, values, { isFleeting: true });

const made = (table: string, like: string): Asked<unknown>[] => [
  once(`create unlogged table ${table} (like ${like})`),
  once(`select create_distributed_table('${table}', 'merchant_id', colocate_with => 'books')`),
];

/** Within the proof's transaction, with which they vanish: distributed tables, beside those whose rows they take. */
export const makeScratch = ({ events, keys, keptEvents, keptKeys }: Scratch): readonly Asked<unknown>[] => [
  ...made(events, keptEvents),
  ...made(keys, keptKeys),
];

const shown = (table: string, kept: string): Asked<unknown>[] => [
  once(`insert into ${table} select * from ${kept}`),
  once(`analyze ${table}`),
  once(`create temp view ${kept} as select * from ${table}`),
];

/**
 * Adds what is in the tables of the books to distributed ones, each server its own rows, and hides those of the books behind
 * them. A union in their place would be beyond Citus in five checks, and taken whole to the coordinator by most others.
 */
export const showScratch = ({ events, keys, keptEvents, keptKeys }: Scratch): readonly Asked<unknown>[] => [
  ...shown(events, keptEvents),
  ...shown(keys, keptKeys),
];

/** From here on PostgreSQL refuses every write of this transaction. */
export const readOnlyFromHere = statement('verify-read-only', 'set local transaction_read_only = on');

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

/** The lines $1 as rows. */
const linesOf = ({ keptEvents, keptKeys }: Scratch): string => `lines as materialized (
       select (given.line::json ->> 0)::bigint as sequence, json_populate_record(null::${keptEvents}, given.line::json -> 1) as e,
              case when given.line not like '%, null]'
                   then json_populate_record(null::${keptKeys}, given.line::json -> 2) end as k
         from unnest($1::text[]) as given (line)
     )`;

/** Of the tenant $2 and $3: rows of lines that are in no table any more. */
const missingEvents = ({ events, keptEvents }: Scratch): string => `insert into ${events}
       select (l.e).* from lines l
        where not exists (select from ${keptEvents} r where r.merchant_id = $2 and r.mode = $3 and r.sequence = l.sequence offset 0)`;
const missingKeys = ({ keys, keptKeys }: Scratch): string => `insert into ${keys}
       select (l.k).* from lines l
        where (l.k).key is not null
          and not exists (select from ${keptKeys} r where r.merchant_id = $2 and r.mode = $3 and r.key = (l.k).key offset 0)`;

const COUNTS = `(count(*) filter (where (l.e).merchant_id = $2 and (l.e).mode = $3 and (l.e).sequence = l.sequence))::int as right,
            count((l.k).key)::int as keys,
            (count(*) filter (where l.sequence <= $4))::int as removed,
            (count((l.k).key) filter (where l.sequence <= $4))::int as removed_keys`;

/** Takes the lines of a file in: what is not in its table. Where it is, that row is read. The first statement says what it is. */
export function loadLines(
  scratch: Scratch,
  { merchant_id, mode, removed_to }: { merchant_id: string; mode: string; removed_to: bigint },
  lines: readonly string[],
): readonly Asked<LoadedLines>[] {
  const tenant = [arrayOf('json', lines), merchant_id, mode];
  if (scratch.isDistributed) return loadDistributed(scratch, tenant, removed_to);
  return [
    composed<LoadedLines>(
      'verify-load-archive',
      `with ${linesOf(scratch)}, loaded as (
       ${missingEvents(scratch)}
       returning sequence
     ), loaded_keys as (
       ${missingKeys(scratch)}
       returning key
     )
     select ${COUNTS},
            (select count(*) from loaded)::int as missing, (select count(*) from loaded_keys)::int as missing_keys,
            (select max(sequence) from loaded) as missing_to
       from lines l`,
      [...tenant, removed_to],
    ),
  ];
}

/** The same in three statements: Citus inserts into one table at a time. */
function loadDistributed(
  scratch: Scratch,
  tenant: readonly unknown[],
  removedTo: bigint,
): readonly Asked<LoadedLines>[] {
  const { keptEvents, keptKeys } = scratch;
  const load = (insert: string) => composed<LoadedLines>('verify-load', insert, tenant, { isFleeting: true });
  const withLines = (insert: string) => insert.replace(/\n/, `\n     with ${linesOf(scratch)}`);
  return [
    composed<LoadedLines>(
      'verify-count-archive',
      `with ${linesOf(scratch)}
     select ${COUNTS},
            (count(*) filter (where r.sequence is null))::int as missing,
            (count((l.k).key) filter (where x.key is null))::int as missing_keys,
            max(l.sequence) filter (where r.sequence is null) as missing_to
       from lines l
       left join ${keptEvents} r on r.merchant_id = $2 and r.mode = $3 and r.sequence = l.sequence
       left join ${keptKeys} x on x.merchant_id = $2 and x.mode = $3 and x.key = (l.k).key`,
      [...tenant, removedTo],
    ),
    load(withLines(missingEvents(scratch))),
    load(withLines(missingKeys(scratch))),
  ];
}

/** What was loaded is new to the planner. */
export const analyzeArchive = ({ events, keys }: Scratch): readonly Asked<unknown>[] =>
  [events, keys].map((table) => composed('verify-analyze', `analyze ${table}`, [], { isFleeting: true }));

/**
 * Keys that are archived, and are not in a file with what they made; and the other way round. At most $1. It is asked while the
 * proof's table has what is in the files alone.
 * @param without tenants whose files are not all read, each as `tenantKey`
 */
export const wrongArchivedKeys = (
  { keys }: Scratch,
  limit: number,
  without: readonly string[],
): Asked<{ merchant_id: string; mode: string; detail: string }> =>
  composed(
    'verify-archived-keys',
    `select coalesce(a.merchant_id, k.merchant_id) as merchant_id, coalesce(a.mode, k.mode) as mode,
            case when k.merchant_id is null then format('key %s of transaction %s is archived and in no file', a.fingerprint, a.transaction_id)
                 when a.merchant_id is null then format('the key of transaction %s is in a file and nowhere else: its request would be carried out again', k.transaction_id)
                 else format('key %s leads to transaction %s, and in its file to %s', a.fingerprint, a.transaction_id, k.transaction_id)
            end as detail
       from archived_keys a
       full join (
         select merchant_id, mode, ${fingerprintSql('key')} as fingerprint, transaction_id from ${keys}
       ) k on k.merchant_id = a.merchant_id and k.mode = a.mode and k.fingerprint = a.fingerprint
      where (a.merchant_id is null or k.merchant_id is null or a.transaction_id is distinct from k.transaction_id)
        and coalesce(a.merchant_id, k.merchant_id) || '/' || coalesce(a.mode, k.mode) <> all ($2::text[])
      limit $1`,
    [limit, [...without]],
    { isFleeting: true },
  );
