import pg from 'pg';
import type { Logger } from '../logger.ts';
import { hasCitus } from './engine.ts';
import { MigrationError } from './migrate.ts';
import { connectToPrimary } from './primary.ts';

/**
 * Where a table is in a database that Citus distributes: its rows by the value of a column, beside the rows of another
 * table with that value where given; a copy on each server; or on the coordinator alone.
 */
export type Placement = { by: string; beside?: string } | 'each-server' | 'coordinator';

interface DistributeOptions {
  connectionString: string;
  placements: Readonly<Record<string, Placement>>;
  logger: Logger;
}

const NO_CITUS =
  'This database is not one that Citus distributes: it has no extension "citus". A superuser makes it, in this database on ' +
  'each server, and adds the servers at the coordinator; docs/scale.md says how. Without Citus leave --distribute out.';
/** The runner's own table: it stays on the coordinator, and two runs at once wait for it. */
const RUNNER_TABLE = 'schema_migrations';

interface TableRow {
  name: string;
  /** Citus manages it: as distributed, or with a copy on each server. */
  is_placed: boolean;
  is_linked: boolean;
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** @throws MigrationError where the server has no Citus: before anything is migrated */
export async function requireCitus(connectionString: string): Promise<void> {
  await withClient(connectionString, async (client) => {
    if (!(await hasCitus(client))) throw new MigrationError(NO_CITUS);
  });
}

/** Whether `distribute` was run: then it also follows later migrations. */
export async function isDistributed(connectionString: string): Promise<boolean> {
  return withClient(connectionString, async (client) => {
    if (!(await hasCitus(client))) return false;
    const { rows } = await client.query('select from pg_dist_partition limit 1');
    return rows.length > 0;
  });
}

/**
 * Puts each table where `placements` has it, as far as it is not there yet, and returns the names of those that it
 * moved. It may be cut short and run again. Tables with foreign keys are moved in one transaction, in which the keys
 * are dropped and created again: Citus accepts no key between tables of which only one is distributed.
 * @throws MigrationError where the server has no Citus, for a table without a placement, and where Citus refuses one
 */
export async function distribute({ connectionString, placements, logger }: DistributeOptions): Promise<string[]> {
  return withClient(connectionString, async (client) => {
    if (!(await hasCitus(client))) throw new MigrationError(NO_CITUS);
    const tables = await listTables(client);
    const unknown = tables.filter(({ name }) => placements[name] === undefined).map(({ name }) => name);
    if (unknown.length > 0) throw new MigrationError(`src/placements.ts has no place for ${unknown.join(', ')}.`);
    const waiting = inOrder(tables, placements).filter(
      ({ name, is_placed }) => !is_placed && placements[name] !== 'coordinator',
    );
    const move = async (table: TableRow) => {
      // Another process did so since the tables were listed.
      if (await isPlaced(client, table.name)) return;
      await place(client, table.name, placements[table.name] as Placement);
      logger.debug({ table: table.name }, 'table distributed');
    };
    await client.query('set citus.enable_unsafe_triggers = on');
    const alone = async (some: readonly TableRow[]) => {
      for (const table of some) await inTransaction(client, () => withoutTriggers(client, table, move));
    };
    const others = waiting.filter(({ is_linked }) => !is_linked);
    const isFirst = ({ name }: TableRow) => isBesideItself(name, placements[name]);
    await alone(others.filter(isFirst));
    const linked = waiting.filter(({ is_linked }) => is_linked);
    if (linked.length > 0) await inTransaction(client, () => withoutForeignKeys(client, linked, move));
    await alone(others.filter((table) => !isFirst(table)));
    return waiting.map(({ name }) => name);
  });
}

/** Whether other tables are placed beside this one. */
const isBesideItself = (name: string, placement: Placement | undefined): boolean =>
  typeof placement === 'object' && placement.beside === name;

/** Copies come first, as others reference them; then each table before those that are beside it. */
function inOrder(tables: readonly TableRow[], placements: DistributeOptions['placements']): TableRow[] {
  const rank = ({ name }: TableRow) => {
    const placement = placements[name];
    if (typeof placement !== 'object') return 0;
    return isBesideItself(name, placement) ? 1 : 2;
  };
  return tables.toSorted((a, b) => rank(a) - rank(b));
}

async function place(client: pg.Client, table: string, placement: Placement): Promise<void> {
  try {
    if (placement === 'each-server') await client.query('select create_reference_table($1)', [table]);
    else if (typeof placement === 'object') {
      const beside = placement.beside === undefined || placement.beside === table ? 'none' : placement.beside;
      await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [table, placement.by, beside]);
    }
  } catch (error) {
    throw new MigrationError(`${table} could not be distributed: ${(error as Error).message}`, error);
  }
}

const IS_PLACED = `exists (select from pg_dist_partition p
                            where p.logicalrelid = c.oid and (p.partmethod <> 'n' or p.repmodel = 't'))`;

async function isPlaced(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query(`select from pg_class c where c.oid = $1::regclass and ${IS_PLACED}`, [table]);
  return rows.length > 0;
}

async function withoutForeignKeys(
  client: pg.Client,
  tables: readonly TableRow[],
  move: (table: TableRow) => Promise<void>,
): Promise<void> {
  const { rows: keys } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
       from pg_constraint
      where contype = 'f' and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))`,
    [tables.map(({ name }) => name)],
  );
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const table of tables) await move(table);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
}

const TRUNCATES = /^(CREATE TRIGGER \S+?)("?) BEFORE (.*) OR TRUNCATE (ON .*)$/s;

/**
 * On a shard, Citus creates no trigger that also covers TRUNCATE, as other servers do: so TRUNCATE gets a trigger of
 * its own.
 */
function triggersFor(definition: string): string[] {
  const [, before, quote, events, after] = TRUNCATES.exec(definition) ?? [];
  if (before === undefined) return [definition];
  return [`${before}${quote} BEFORE ${events} ${after}`, `${before}_truncate${quote} BEFORE TRUNCATE ${after}`];
}

/** Citus accepts no table with a trigger; a trigger that is created afterwards is created on every shard. */
async function withoutTriggers(
  client: pg.Client,
  table: TableRow,
  move: (table: TableRow) => Promise<void>,
): Promise<void> {
  const { rows: triggers } = await client.query<{ name: string; definition: string }>(
    `select quote_ident(tgname) as name, pg_get_triggerdef(oid) as definition
       from pg_trigger where tgrelid = $1::regclass and not tgisinternal`,
    [table.name],
  );
  for (const { name } of triggers) await client.query(`drop trigger ${name} on ${pg.escapeIdentifier(table.name)}`);
  await move(table);
  for (const definition of triggers.flatMap((trigger) => triggersFor(trigger.definition)))
    await client.query(definition);
}

async function listTables(client: pg.Client): Promise<TableRow[]> {
  const { rows } = await client.query<TableRow>(
    `select c.relname as name, ${IS_PLACED} as is_placed,
            exists (select from pg_constraint k where k.contype = 'f' and c.oid in (k.conrelid, k.confrelid)) as is_linked
       from pg_class c
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname <> $1
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      order by c.relname`,
    [RUNNER_TABLE],
  );
  return rows;
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`lock table ${RUNNER_TABLE} in share row exclusive mode`);
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectToPrimary({ connectionString, application_name: 'manilla distribute' });
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
