import { doEach } from '../jobs/pieces.ts';
import type { Logger } from '../logger.ts';
import type { Database } from './database.ts';
import { statement } from './statement.ts';

/** With fewer rows no plan is expensive. */
const ROWS_AT_LEAST = 1_000;
/** A plan is right for about as many rows as there were when it was made. */
const GROWN_BY = 4;

/** Tables with many more rows than when they were last analysed, or that never were. */
const listGrownTables = statement<{ name: string }>(
  'list-grown-tables',
  `select quote_ident(s.schemaname) || '.' || quote_ident(s.relname) as name
     from pg_stat_user_tables s
     join pg_class c on c.oid = s.relid and pg_has_role(c.relowner, 'usage')
    where s.schemaname = current_schema() and s.n_live_tup > $1 + $2::float8 * greatest(c.reltuples, 0)
    order by s.n_live_tup`,
);

/**
 * Makes PostgreSQL analyse tables that grew: every connection then plans their statements again. Autovacuum does the
 * same, up to a minute later (or never, where it is off), and until then a plan of an empty table may read all rows
 * each time. Several processes may do so at once.
 * @returns how many
 */
export async function analyzeGrownTables({
  database,
  logger,
}: {
  database: Database;
  logger: Logger;
}): Promise<number> {
  const tables = await database.query(listGrownTables, [ROWS_AT_LEAST, GROWN_BY]);
  return doEach(
    tables.map(({ name }) => async () => {
      await database.pool.query(`analyze ${name}`);
      logger.debug({ table: name }, 'analysed a table that grew');
      return 1;
    }),
  );
}
