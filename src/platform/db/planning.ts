import { statement } from './statement.ts';

/**
 * Every statement is prepared, and PostgreSQL keeps its plan. A plan that was made while a table was empty would read
 * the whole table for ever: one minute of load on a new database read 36 million rows in this way. Every query of the
 * service finds its rows through an index, so PostgreSQL may only make such a plan, and makes it once. Nothing is
 * compiled for a plan either: where costs are only guessed, compiling takes a hundred times as long as the search. And a page
 * from the middle of a table costs what the next one does, as on a disk without heads: by PostgreSQL's own 4 lists by cursor
 * would read all that there is and sort it.
 */
export const PLANNING: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  random_page_cost: '1.1',
};

/**
 * On a connection to Citus: it plans a statement for the merchant whose rows are meant, each time, so that one server
 * is asked. It cannot make a plan for any merchant, which `auto` would attempt from the sixth time on. And it asks the
 * shards of a server one after the other: otherwise it would open a connection for each for work of 10 ms, which costs
 * more than the statement. Elsewhere this changes nothing.
 */
export const PLAN_AS_DISTRIBUTED = `select set_config('plan_cache_mode', 'force_custom_plan', false),
         set_config('citus.max_adaptive_executor_pool_size', '1', false)
    from pg_extension where extname = 'citus'`;

/**
 * The server ends the statement of a client that has gone, within two seconds: otherwise it goes on until it has an answer to
 * write, and holds its locks. What waited for it is tried again meanwhile. A server that cannot tell, as on Windows, refuses the
 * setting, and works without it.
 */
export const END_WITH_CLIENT = `do $$ begin
  perform set_config('client_connection_check_interval', '2s', false);
exception when others then null; end $$`;

/** The settings of a role, for poolers that drop the settings of connections. */
export const planningOf = (isDistributed: boolean): Readonly<Record<string, string>> =>
  isDistributed ? { ...PLANNING, plan_cache_mode: 'force_custom_plan' } : PLANNING;

/**
 * How values are written on a connection, whatever the server, the database or the role has. Times in another style
 * than ISO would be read wrongly, and in UTC they are read in a tenth of the time; rows that are hashed as text have
 * one text.
 */
export const WRITING: Readonly<Record<string, string>> = { DateStyle: 'ISO', TimeZone: 'UTC', bytea_output: 'hex' };

/** The settings in the form of a connection's start-up packet. */
export function connectionOptions(): string {
  return Object.entries({ ...PLANNING, ...WRITING })
    .map(([name, setting]) => `-c ${name}=${setting}`)
    .join(' ');
}

const OPTIONS = /([?&]options=)([^&#]*)/;

/**
 * For an address with options of its own, such as `?options=-c statement_timeout=60000`, which the driver would send
 * instead of ours. Both are sent; where both have a setting, ours counts, as it comes later.
 */
export function withPlanning(connectionString: string): string {
  return connectionString.replace(OPTIONS, (_, name: string, written: string) => {
    const given = new URLSearchParams(`options=${written}`).get('options');
    return `${name}${encodeURIComponent(`${given} ${connectionOptions()}`)}`;
  });
}

/**
 * For one transaction that reads whole tables, also where the role has the other settings for ever. Nothing is compiled
 * here either: compiling the two hundred checks of the proof takes a minute, and running them on a small database a
 * second.
 */
export const PLAN_FREELY = [
  'set local enable_seqscan = on',
  'set local enable_hashjoin = on',
  'set local enable_mergejoin = on',
  'set local plan_cache_mode = auto',
];

/**
 * The same for what follows in a transaction that also asks other things: it may read whole tables and join them by hash or in
 * order, as a report does and a request never may.
 */
export const planReport = statement(
  'plan-report',
  `select set_config('enable_seqscan', 'on', true), set_config('enable_hashjoin', 'on', true),
          set_config('enable_mergejoin', 'on', true), set_config('plan_cache_mode', 'force_custom_plan', true)`,
);
