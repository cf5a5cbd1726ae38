import { type Asked, composed, type Statement, statement } from '../platform/db/statement.ts';

/** One thing that is not as it must be, and how many there are in all. */
export interface ViolationRow {
  merchant_id: string;
  mode: string;
  detail: string;
  violations: bigint;
}

/** Something that must be true of the books at every moment, also between any two movements under load. */
export interface Check {
  /** Stable, for scripts and tests. */
  name: string;
  /** What holds when nothing is found. */
  sentence: string;
  find: Statement<ViolationRow>;
  /** The same without tenants, each as `tenantKey`. */
  findWithout(tenants: readonly string[]): Asked<ViolationRow>;
}

/** Of what is nobody's book. */
export const NOBODY = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** Violations that a report shows of one check; all are counted. */
export const MAX_EXAMPLES = 20;

/**
 * @param sql a query of `merchant_id`, `mode` and `detail` for everything that breaks the rule, in plain words. It reads
 *   its tables a fixed number of times: they are aggregated or joined whole, never row by row.
 */
export function check(name: string, sentence: string, sql: string): Check {
  const findWhere = (condition: string) =>
    `select coalesce(v.merchant_id, ${NOBODY}) as merchant_id, coalesce(v.mode, 'none') as mode, v.detail,
            count(*) over () as violations
       from (${sql}) v${condition}
      order by 1, 2, 3
      limit ${MAX_EXAMPLES}`;
  const without = `
      where coalesce(v.merchant_id::text || '/' || v.mode, '') <> all ($1::text[])`;
  return {
    name,
    sentence,
    find: statement<ViolationRow>(`verify-${name}`, findWhere('')),
    findWithout: (tenants) => composed<ViolationRow>('verify-without', findWhere(without), [[...tenants]]),
  };
}

/** For a join: rows of one merchant in one mode. */
export const sameTenant = (one: string, other: string): string =>
  `${one}.merchant_id = ${other}.merchant_id and ${one}.mode = ${other}.mode`;

/**
 * From when on every piece of evidence has its digest and every event its key. Databases of development versions may have
 * some without, from before they were brought to these migrations.
 */
export const SEALED_SINCE = `(select applied_at from schema_migrations where name = '0001_ledger.sql')`;

/** From when on payments say how they were paid; those from before do not. */
export const CHANNELS_SINCE = `(select applied_at from schema_migrations where name = '0059_channels-of-payments.sql')`;

/** From when on a settlement carries what refunds and disputes hold or took; one from before may have lost it. */
export const CARRIED_SINCE = `(select applied_at from schema_migrations where name = '0104_cases-open.sql')`;

/** The latest moment that the books know of, or now: a clock that was set forward does not make what is due late. */
export const LATEST = `(select greatest(now(), (select max(created_at) from state_changes), (select max(started_at) from payout_attempts),
                      (select max(created_at) from batches)) as at)`;

/** Clocks of two processes differ by no more. */
export const CLOCKS = `interval '1 minute'`;

/** Of a text, the signs that neither a cleaning nor an encoding changes: what of ASCII can be seen. */
export const signsOf = (text: string): string => `regexp_replace(normalize(coalesce(${text}, '')), '[^!-~]', '', 'g')`;

/** The longest that a worker leaves what is open alone is an hour and a fifth; a lease and a pause are minutes. */
export const SOON = `interval '2 hours'`;

/** Words of our code as rows of a table. */
export const valuesOf = (rows: readonly (readonly string[])[]): string =>
  `(values ${rows.map((row) => `(${row.map((word) => `'${word}'`).join(', ')})`).join(', ')})`;

/** Words of our code, to be looked for. */
export const wordsOf = (words: readonly string[]): string => `(${words.map((word) => `'${word}'`).join(', ')})`;

/** Sorting and grouping every transfer deserves more than a request's share of memory. */
export const takeMemory = statement('verify-take-memory', `set local work_mem = '64MB'`);

/**
 * Whole tables are joined by hash. Where statistics lag behind the books, the planner expects a handful of rows and
 * would compare each row with all others of its merchant. A join that is switched off counts as so dear that small tables, read
 * one after the other, would have processes started for them: these took nine tenths of the proof of a small database.
 */
export const joinByHash = statement(
  'verify-join-by-hash',
  `select set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true),
          set_config('enable_hashjoin', 'on', true), set_config('enable_seqscan', 'on', true),
          set_config('enable_parallel_append', 'off', true)`,
);

/** What is computed reads its rows in pieces, each through an index: by hash, each piece would read whole tables. */
export const joinByIndex = statement(
  'verify-join-by-index',
  `select set_config('enable_nestloop', 'on', true), set_config('enable_mergejoin', 'off', true),
          set_config('enable_hashjoin', 'off', true), set_config('enable_seqscan', 'off', true)`,
);

/** What is behind the mark may fail alone: going back to it makes the transaction usable again. */
export const setMark = statement('verify-set-mark', 'savepoint verify_mark');
export const backToMark = statement('verify-back-to-mark', 'rollback to savepoint verify_mark');
/** For what was written behind it, which is kept. */
export const releaseMark = statement('verify-release-mark', 'release savepoint verify_mark');

export interface SizeRow {
  books: bigint;
  accounts: bigint;
  transfers: bigint;
  transactions: bigint;
  /** The moment that all of it is as of. */
  read_at: Date;
  is_replica: boolean;
}

export const countRows = statement<SizeRow>(
  'verify-count-rows',
  `select (select count(*) from books) as books, (select count(*) from accounts) as accounts,
          (select count(*) from transfers) as transfers, (select count(*) from transactions) as transactions,
          now() as read_at, pg_is_in_recovery() as is_replica`,
);
