import { hash } from 'node:crypto';
import { binaryArray, type ColumnType, type ColumnValue } from './values.ts';

export type { ColumnType, ColumnValue };

/**
 * A SQL statement with a name, under which PostgreSQL prepares it once for each connection. `Row` is the type of its
 * rows. A name is unique in the service and says what the statement does: `find-store`, `list-transactions`.
 */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /**
   * It is not kept prepared and is planned each time, since there are too many texts like it, or since a plan for small
   * tables would become wrong.
   */
  readonly isFleeting?: boolean;
  /** The text where Citus distributes the database and cannot use the other one. */
  readonly whereDistributed?: string;
  /** Never set: it carries the type of the rows. */
  readonly row?: Row;
}

/** @param whereDistributed only where one text cannot serve both: see docs/decisions/a-group-is-of-one-shard.md */
export function statement<Row = Record<string, never>>(
  name: string,
  text: string,
  whereDistributed?: string,
): Statement<Row> {
  return whereDistributed === undefined ? { name, text } : { name, text, whereDistributed };
}

/** A statement composed for one request, with its values. */
export interface Asked<Row> {
  readonly statement: Statement<Row>;
  readonly values: readonly unknown[];
}

/**
 * Composes a statement with only the conditions that are asked for: a condition for all cases would hide the index for
 * this one. Each text has a name of its own, which begins with `verb`.
 * @param how as a statement has it
 */
export function composed<Row>(
  verb: string,
  text: string,
  values: readonly unknown[],
  { isFleeting = false, whereDistributed }: Pick<Statement<Row>, 'isFleeting' | 'whereDistributed'> = {},
): Asked<Row> {
  // PostgreSQL keeps 63 characters of a name.
  const name = `${verb}-${hash('sha256', text, 'base64url').slice(0, 16)}`;
  return { statement: { name, text, isFleeting, ...(whereDistributed !== undefined && { whereDistributed }) }, values };
}

/** A statement that handles any number of rows at once: each column arrives as one array, `$1` being the first. */
export interface SetStatement<Row extends { [K in keyof Row]: ColumnValue }> {
  readonly name: string;
  readonly text: string;
  readonly columns: readonly { readonly name: keyof Row & string; readonly type: ColumnType }[];
  /** The text has one more parameter: the merchants of the rows, from `merchantsAmong`. */
  readonly namesMerchants?: boolean;
  /** Where the rows can be sent as a COPY: its text. It replaces the other text and takes the same rows. */
  readonly copyText?: string;
}

const setStatements = new Map<string, SetStatement<never>>();

/** The set-based statement with this name: for rows that come from another process of this version. */
export const setStatementNamed = (name: string): SetStatement<never> | undefined => setStatements.get(name);

function named<Row extends { [K in keyof Row]: ColumnValue }>(made: SetStatement<Row>): SetStatement<Row> {
  setStatements.set(made.name, made);
  return made;
}

/** The types of columns that a value may be written to. A time is a `Date`, or ISO 8601 as the ledger has it. */
type ColumnTypeOf<Value> = [Value] extends [Date | null]
  ? 'timestamptz'
  : [Value] extends [bigint | null]
    ? 'bigint'
    : [Value] extends [number | null]
      ? 'integer'
      : [Value] extends [boolean | null]
        ? 'boolean'
        : [Value] extends [string | null]
          ? 'uuid' | 'text' | 'jsonb' | 'json' | 'date' | 'timestamptz'
          : never;

type ColumnTypes<Row> = { readonly [K in keyof Row & string]: ColumnTypeOf<Row[K]> };

function columnsOf<Row>(types: ColumnTypes<Row>): { name: keyof Row & string; type: ColumnType }[] {
  return (Object.entries(types) as [keyof Row & string, ColumnType][]).map(([name, type]) => ({ name, type }));
}

function arrays(columns: readonly { type: ColumnType }[]): string {
  return columns.map(({ type }, at) => `$${at + 1}::${type === 'json' ? 'text' : type}[]`).join(', ');
}

/** More merchants than this are not named: the condition would be evaluated for each row. */
const MOST_NAMED = 16;
/**
 * The same where Citus distributes the database. It plans each statement for its values, so that the list becomes a
 * hash table; and without named merchants, every shard is asked.
 */
export const MOST_NAMED_DISTRIBUTED = 256;

/** One process uses one database: the ledger's shard finder owns this, and sets it once it knows the database. */
let mostNamed = MOST_NAMED;

/** Sets how many merchants the statements of this process name, by what its database can use. */
export function nameMerchantsFor({ isDistributed }: { isDistributed: boolean }): void {
  mostNamed = isDistributed ? MOST_NAMED_DISTRIBUTED : MOST_NAMED;
}

/**
 * SQL for: the merchant is one of those in the parameter, or any where the parameter is null. Each table is joined by
 * its whole key beside this, so it decides nothing and no index is chosen by it. It shows a distributed database which
 * shards are meant: the joined rows are values that the planner does not look into.
 * @param column `x.merchant_id`.
 * @param place of the parameter
 */
export const among = (column: string, place: number): string =>
  `($${place}::uuid[] is null or ${column} = any($${place}::uuid[]))`;

/** The parameter of `among`. */
export function merchantsAmong(ids: Iterable<string>): ArrayParameter | null {
  const distinct = new Set(ids);
  return distinct.size > mostNamed ? null : arrayOf('uuid', [...distinct]);
}

/**
 * `rows`, or the names that a statement gives them first: `said`, `moved`, `held`, `before`, `counted`, `ended`,
 * `advance`.
 */
const BY_MERCHANT = /(\w+\.merchant_id) = (?:rows|said|moved|held|before|counted|ended|advance)\.merchant_id/g;

/** Adds the named merchants wherever a table is joined to the rows by its merchant. */
function namingMerchants(text: string, place: number): { text: string; namesMerchants?: boolean } {
  if (text.search(BY_MERCHANT) === -1) return { text };
  return {
    text: text.replaceAll(BY_MERCHANT, (join, column: string) => `${join} and ${among(column, place)}`),
    namesMerchants: true,
  };
}

/**
 * Rows of a table, any number of them, sent as a COPY in PostgreSQL's binary format: two thirds of the work that an
 * insert costs the server. Nothing is cast: each type is that of its column. `jsonb` has no such format here, so a table
 * with it gets `insert ... select * from unnest(...)`, which the text is in any case.
 */
export function setInsert<Row extends { [K in keyof Row]: ColumnValue }>(
  table: string,
  types: ColumnTypes<Row>,
): SetStatement<Row> {
  const columns = columnsOf(types);
  const names = columns.map((column) => column.name).join(', ');
  return named({
    name: `insert-${table.replaceAll('_', '-')}`,
    text: `insert into ${table} (${names}) select * from unnest(${arrays(columns)})`,
    columns,
    ...(columns.every(({ type }) => type !== 'jsonb') && {
      copyText: `copy ${table} (${names}) from stdin (format binary)`,
    }),
  });
}

/**
 * A hand-written set-based statement. `:rows` in the text becomes `unnest(...) as rows (column, ...)`, for example
 * `update stores set name = rows.name from :rows where stores.id = rows.id`. PostgreSQL applies one row to one target:
 * an update that may get two rows for one key has to aggregate them itself.
 */
export function setStatement<Row extends { [K in keyof Row]: ColumnValue }>(
  name: string,
  types: ColumnTypes<Row>,
  text: string,
): SetStatement<Row> {
  const columns = columnsOf(types);
  const names = columns.map((column) => column.name).join(', ');
  const fullText = text.replaceAll(':rows', `unnest(${arrays(columns)}) as rows (${names})`);
  return named({ name, ...namingMerchants(fullText, columns.length + 1), columns });
}

/** A question about any number of rows at once: `$1` is the array of its first column, as in a `SetStatement`. */
export interface SetQuestion<Row extends { [K in keyof Row]: ColumnValue }, Found extends { place: number }>
  extends SetStatement<Row> {
  /** Never set: it carries the type of what is found. */
  readonly found?: Found;
}

/**
 * A hand-written set-based question. `:rows` in the text becomes `unnest(...) as rows (column, ..., place)`; `place` is
 * the number of the row, from 1, and each result has the place of its row as an integer.
 */
export function setQuestion<Row extends { [K in keyof Row]: ColumnValue }, Found extends { place: number }>(
  name: string,
  types: ColumnTypes<Row>,
  text: string,
): SetQuestion<Row, Found> {
  const columns = columnsOf(types);
  const names = columns.map((column) => column.name).join(', ');
  const rows = `unnest(${arrays(columns)}) with ordinality as rows (${names}, place)`;
  return { name, ...namingMerchants(text.replaceAll(':rows', rows), columns.length + 1), columns };
}

/** Rows for one set-based statement. A movement has these; the ledger runs each statement once for a group. */
export interface Write {
  readonly into: SetStatement<never>;
  readonly row: Readonly<Record<string, ColumnValue>>;
}

export function write<Row extends { [K in keyof Row]: ColumnValue }>(into: SetStatement<Row>, row: Row): Write {
  return { into: into, row };
}

/** Rows for `run` or `columnArrays`, typed by the statement. */
export function rowsFor<Row extends { [K in keyof Row]: ColumnValue }>(
  into: SetStatement<Row>,
  rows: readonly Row[],
): [SetStatement<never>, readonly Write['row'][]] {
  return [into, rows];
}

function literal(type: ColumnType, value: ColumnValue): string {
  if (value === null) return 'NULL';
  switch (type) {
    case 'uuid':
      // A value with the length of a UUID is at most one UUID: any other text is quoted, so that it fails as a whole.
      return typeof value === 'string' && value.length === 36 ? value : quoted(String(value));
    case 'bigint':
    case 'integer':
    case 'boolean':
      return typeof value === 'string' ? quoted(value) : String(value);
    case 'timestamptz':
      return `"${value instanceof Date ? value.toISOString() : String(value)}"`;
    case 'date':
    case 'text':
    case 'json':
    case 'jsonb':
      return quoted(String(value));
  }
}

function quoted(text: string): string {
  return /["\\]/.test(text) ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : `"${text}"`;
}

/** An array as a statement takes it: in PostgreSQL's binary format, or as its text. */
export type ArrayParameter = Buffer | string;

/** One parameter for each column, over all rows. Arrays keep the statement's text the same. */
export function columnArrays(into: SetStatement<never>, rows: readonly Write['row'][]): (ArrayParameter | null)[] {
  const parameters = into.columns.map(({ name, type }) =>
    arrayOf(
      type,
      rows.map((row) => {
        const value = row[name];
        if (value === undefined) throw new Error(`${into.name}: no value for column ${String(name)}`);
        return value;
      }),
    ),
  );
  if (into.namesMerchants !== true) return parameters;
  return [...parameters, merchantsAmong(rows.map((row) => row['merchant_id'] as string))];
}

/**
 * The parameters of a question about many things at once: the merchant of each, an array for each further column, and
 * last the named merchants.
 */
export function arraysByMerchant<Item>(
  items: readonly Item[],
  merchantOf: (item: Item) => string,
  ...columns: readonly (readonly [type: ColumnType, columnOf: (item: Item) => ColumnValue])[]
): (ArrayParameter | null)[] {
  const merchants = items.map(merchantOf);
  const others = columns.map(([type, columnOf]) => arrayOf(type, items.map(columnOf)));
  return [arrayOf('uuid', merchants), ...others, merchantsAmong(merchants)];
}

/**
 * Values as one parameter. A value without a binary form of its type is sent as text, for PostgreSQL to read or refuse.
 */
export function arrayOf(type: ColumnType, values: readonly ColumnValue[]): ArrayParameter {
  if (type === 'jsonb') return arrayLiteral(type, values);
  try {
    return binaryArray(type, values);
  } catch (error) {
    if (error instanceof RangeError) return arrayLiteral(type, values);
    throw error;
  }
}

function arrayLiteral(type: ColumnType, values: readonly ColumnValue[]): string {
  return `{${values.map((value) => literal(type, value)).join(',')}}`;
}

/**
 * Nothing of ours happened before: a time that would be moved further back stays here, where every clock can write it.
 */
const EARLIEST = `timestamptz '2000-01-01 00:00:00+00'`;

/**
 * SQL for a time that is `seconds` earlier, but never before the year 2000; null stays null. Computed without a time
 * zone: otherwise it would depend on the connection, and no distributed table may be changed by such an expression.
 * @param seconds an expression: a number, not negative.
 * @param notBefore another bound, as for an expiry: nothing has expired before it was made.
 */
export function movedBack(column: string, seconds: string, notBefore = EARLIEST): string {
  const moved = `(greatest(${column}, ${EARLIEST}) at time zone 'UTC' - make_interval(secs => ${seconds})) at time zone 'UTC'`;
  return `case when ${column} is not null then greatest(${moved}, ${notBefore}) end`;
}

/** So many rows that are due are read in the order of their time. With more, tenants are looked for one by one. */
const DUE_ROWS = 1_000;

/**
 * The tenants with due rows of a table, each with the time of its first one. Rows that are due are read by an index on
 * due_at with this condition and `due_at > '-infinity'`. Only this condition names the second part, so the planner uses
 * the index for no other statement. The cost grows with the rows that are due, not with those that will be. Where there
 * are so many that one tenant may have them all, it goes from tenant to tenant through the index that begins with
 * merchant_id, mode and due_at.
 */
const byTime = (table: string, condition: string, now: string): string => `with recursive earliest as materialized (
     select merchant_id, mode, due_at from ${table}
      where ${condition} and due_at > '-infinity' and due_at <= ${now} order by due_at limit ${DUE_ROWS}
   ), hops as (
     (select merchant_id, mode, due_at from ${table}
       where (select count(*) = ${DUE_ROWS} from earliest) and ${condition} order by merchant_id, mode, due_at limit 1)
     union all
     select next.merchant_id, next.mode, next.due_at
       from hops
      cross join lateral (
        select t.merchant_id, t.mode, t.due_at from ${table} t
         where ${condition} and (t.merchant_id, t.mode) > (hops.merchant_id, hops.mode)
         order by t.merchant_id, t.mode, t.due_at limit 1
      ) next
   ), tenants as (
     select merchant_id, mode, min(due_at) as due_at
       from (select * from earliest union all select * from hops where due_at <= ${now}) found
      group by merchant_id, mode
   )`;

/** The same, each shard for itself: a recursion cannot go over shards. */
const grouped = (table: string, condition: string, now: string): string => `with tenants as (
     select merchant_id, mode, min(due_at) as due_at from ${table}
      where ${condition} and due_at <= ${now} group by merchant_id, mode
   )`;

/** Where what is due is looked for. */
interface DueRows {
  table: string;
  /** On the columns of the table alone, by which it has a due_at. */
  condition: string;
  /** The parameter that is now. */
  now: '$1' | '$2';
}

/**
 * A statement that begins with `tenants`: merchant, mode and time of each tenant with due rows of `table`. Only here is a
 * text for each engine.
 */
export function ofDueTenants<Row>(name: string, { table, condition, now }: DueRows, rest: string): Statement<Row> {
  return {
    name,
    text: `${byTime(table, condition, now)}\n   ${rest}`,
    whereDistributed: `${grouped(table, condition, now)}\n   ${rest}`,
  };
}

/** Identifies a transaction of a server: no other one has both values. */
interface Transaction {
  pid: number;
  begun: string;
}

/**
 * From here to the end of the transaction no statement runs for longer, in milliseconds as text: the server ends it.
 */
export const limitStatements = statement<Transaction>(
  'limit-statements',
  `select set_config('statement_timeout', $1, true), pg_backend_pid() as pid, extract(epoch from now())::text as begun`,
);

/**
 * Ends the statement that runs in transaction $1, which began at $2, if there is one. On another server it ends
 * nothing.
 */
export const cancelTransaction = statement(
  'cancel-transaction',
  `select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and extract(epoch from xact_start)::text = $2`,
);
