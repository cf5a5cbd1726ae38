import { statement } from '../platform/db/statement.ts';

/** One thing that is not as it must be, and how many there are in all. */
export interface ViolationRow {
  merchant_id: string;
  mode: string;
  detail: string;
  violations: bigint;
}

/** Violations that a report shows of one check; all are counted. */
export const MAX_EXAMPLES = 20;

/**
 * A query of `merchant_id`, `mode` and `detail` for everything that breaks a rule. Each reads its tables a fixed number
 * of times: they are aggregated or joined whole, never row by row.
 */
export function violationsOf(name: string, sql: string) {
  return statement<ViolationRow>(
    `verify-${name}`,
    `select v.merchant_id, v.mode, v.detail, count(*) over () as violations
       from (${sql}) v
      order by v.merchant_id, v.mode, v.detail
      limit ${MAX_EXAMPLES}`,
  );
}

/** Every check sees the books as of one moment, holds no lock, and cannot write. First statement of the transaction. */
export const readOneSnapshot = statement(
  'verify-read-one-snapshot',
  'set transaction isolation level repeatable read, read only',
);

/** Sorting and grouping every transfer deserves more than a request's share of memory. */
export const takeMemory = statement('verify-take-memory', `set local work_mem = '128MB'`);

/**
 * Whole tables are joined by hash. Where statistics lag behind the books, the planner expects a handful of rows and
 * would compare each row with all others of its merchant.
 */
export const joinByHash = statement(
  'verify-join-by-hash',
  `select set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true),
          set_config('enable_hashjoin', 'on', true), set_config('enable_seqscan', 'on', true),
          set_config('plan_cache_mode', 'auto', true)`,
);

/** A proof of big books takes longer than any request may. */
export const takeTime = statement('verify-take-time', 'set local statement_timeout = 0');

export interface SizeRow {
  books: bigint;
  accounts: bigint;
  transfers: bigint;
  transactions: bigint;
}

export const countRows = statement<SizeRow>(
  'verify-count-rows',
  `select (select count(*) from books) as books, (select count(*) from accounts) as accounts,
          (select count(*) from transfers) as transfers, (select count(*) from transactions) as transactions`,
);
