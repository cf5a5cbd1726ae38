/**
 * Every statement is prepared, and PostgreSQL keeps its plan. One that was made while a table was empty would read the
 * whole table for ever after: a minute of load on a new database read 36 million rows so. Every query of the service
 * finds its rows through an index, so that is the one plan that it may make, and it makes it once. Nothing is compiled for
 * a plan either: where costs are only guessed, that takes a hundred times as long as the rows of a search.
 */
export const PLANNING: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
};

/**
 * On a connection to Citus: it plans a statement for the merchant whose rows are meant, so that one server is asked, each
 * time. A plan for any merchant is one that it cannot make, and `auto` would make one from the sixth time on. And it asks the
 * shards of a server one after the other: for what takes 10 ms it would open a connection for each, which costs more than
 * the statement. Elsewhere this changes nothing.
 */
export const PLAN_AS_DISTRIBUTED = `select set_config('plan_cache_mode', 'force_custom_plan', false),
         set_config('citus.max_adaptive_executor_pool_size', '1', false)
    from pg_extension where extname = 'citus'`;

/** What a role has where a pooler drops the settings of connections. */
export const planningOf = (isDistributed: boolean): Readonly<Record<string, string>> =>
  isDistributed ? { ...PLANNING, plan_cache_mode: 'force_custom_plan' } : PLANNING;

/**
 * How values are written on a connection, whatever the server, the database or the role has. Times in another style than
 * ISO are not read as what they are, and in UTC they are read in a tenth of the time; rows that are hashed as text have
 * one text.
 */
const WRITING: Readonly<Record<string, string>> = { DateStyle: 'ISO', TimeZone: 'UTC', bytea_output: 'hex' };

/** As the start-up packet of a connection has them. */
export function connectionOptions(): string {
  return Object.entries({ ...PLANNING, ...WRITING })
    .map(([name, setting]) => `-c ${name}=${setting}`)
    .join(' ');
}

const OPTIONS = /([?&]options=)([^&#]*)/;

/**
 * An address that has options of its own, such as `?options=-c statement_timeout=60000`: the driver would send them instead of
 * ours. Both are sent; where both name a setting, ours counts, which comes later.
 */
export function withPlanning(connectionString: string): string {
  return connectionString.replace(OPTIONS, (_, name: string, written: string) => {
    const given = new URLSearchParams(`options=${written}`).get('options');
    return `${name}${encodeURIComponent(`${given} ${connectionOptions()}`)}`;
  });
}

/**
 * For one transaction that reads whole tables, also where the role has the settings for ever. Nothing is compiled here either:
 * the two hundred checks of the proof are compiled for a minute, and read a small database for a second.
 */
export const PLAN_FREELY = [
  'set local enable_seqscan = on',
  'set local enable_hashjoin = on',
  'set local enable_mergejoin = on',
  'set local plan_cache_mode = auto',
];
