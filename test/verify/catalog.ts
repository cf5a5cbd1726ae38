import type pg from 'pg';

export interface Column {
  name: string;
  /** As PostgreSQL names it, such as `uuid` or `timestamp with time zone`. */
  type: string;
}

export interface Table {
  name: string;
  columns: readonly Column[];
  /** The columns of its primary key. */
  key: readonly string[];
}

/** Every table of the migrated database, from its own catalog. */
export async function readTables(client: pg.ClientBase | pg.Pool): Promise<Table[]> {
  const { rows } = await client.query<{ table: string; column: string; type: string; in_key: boolean }>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type,
            coalesce(a.attnum = any (k.conkey), false) as in_key
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      order by c.relname, a.attnum`,
  );
  return Array.from(
    Map.groupBy(rows, ({ table }) => table),
    ([name, columns]) => ({
      name,
      columns: columns.map(({ column, type }) => ({ name: column, type })),
      key: columns.filter(({ in_key }) => in_key).map(({ column }) => column),
    }),
  );
}

/** A row as text, with where it lies. */
export interface Row {
  ctid: string;
  values: Readonly<Record<string, string | null>>;
}

export async function readRows(client: pg.ClientBase, { name, columns }: Table): Promise<Row[]> {
  const list = columns.map((column) => `${column.name}::text`).join(', ');
  const { rows } = await client.query<Record<string, string | null>>(
    `select ctid::text as ctid, ${list} from ${name} order by ctid`,
  );
  return rows.map(({ ctid, ...values }) => ({ ctid: ctid as string, values }));
}
