import { hash } from 'node:crypto';
import { binaryArray, type ColumnType, type ColumnValue } from './values.ts';

export type { ColumnType, ColumnValue };

/**
 * SQL as SQL, with a name: PostgreSQL prepares each statement once per connection under it. `Row` says what comes back.
 * A name is unique in the service and states what the statement does: `find-store`, `list-transactions`.
 */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /**
   * No connection keeps it prepared, since there are too many texts like it, or since a plan of small tables would not do for
   * long. It is planned each time that it is sent.
   */
  readonly isFleeting?: boolean;
  /** The same where Citus distributes the database, and cannot take the text. */
  readonly whereDistributed?: string;
  /** Never set: it carries the row's type. */
  readonly row?: Row;
}

/** @param whereDistributed only where no one text does for both: see docs/decisions/a-group-is-of-one-shard.md */
export function statement<Row = Record<string, never>>(
  name: string,
  text: string,
  whereDistributed?: string,
): Statement<Row> {
  return whereDistributed === undefined ? { name, text } : { name, text, whereDistributed };
}

/** A statement that was composed for what is asked, with its values. */
export interface Asked<Row> {
  readonly statement: Statement<Row>;
  readonly values: readonly unknown[];
}

/**
 * For texts that have only the conditions that are asked for: a condition that is there for all cases hides the index
 * that would answer this one. Each text has a name of its own, which begins with `verb`.
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
  /** The text has one more parameter: the merchants of the rows, as `merchantsAmong` has them. */
  readonly namesMerchants?: boolean;
  /** Where the rows are sent as a COPY: its text. It stands for the other text, and takes the same rows. */
  readonly copyText?: string;
}

const setStatements = new Map<string, SetStatement<never>>();

/** The set-based statement of this name: for rows that come from another process of this version. */
export const setStatementNamed = (name: string): SetStatement<never> | undefined => setStatements.get(name);

function named<Row extends { [K in keyof Row]: ColumnValue }>(made: SetStatement<Row>): SetStatement<Row> {
  setStatements.set(made.name, made);
  return made;
}

/** The types of columns that a value may be written to. A moment is a `Date`, or ISO 8601 as the ledger has it. */
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

/** More merchants than this are not named: the condition would be looked through for each row. */
const MOST_NAMED = 16;
/**
 * The same where Citus distributes the database. It plans each statement for its values, so that the list becomes a hash
 * table; and what is not named asks every shard.
 */
export const MOST_NAMED_DISTRIBUTED = 256;

/** One process uses one database: the ledger's shard finder owns this, and sets it once it knows the database. */
let mostNamed = MOST_NAMED;

/** Sets how many merchants the statements of this process name, by what its database can use. */
export function nameMerchantsFor({ isDistributed }: { isDistributed: boolean }): void {
  mostNamed = isDistributed ? MOST_NAMED_DISTRIBUTED : MOST_NAMED;
}

/**
 * SQL for: the merchant is one of those in the parameter, or any, where that is null. Each table is joined by its whole key
 * beside it, so that this decides nothing and no index is chosen by it. It tells a database that is distributed which shard
 * is meant: the joined rows are values that nobody looks into while a statement is planned.
 * @param column `x.merchant_id`. @param place of the parameter
 */
export const among = (column: string, place: number): string =>
  `($${place}::uuid[] is null or ${column} = any($${place}::uuid[]))`;

/** The parameter of `among`. */
export function merchantsAmong(ids: Iterable<string>): ArrayParameter | null {
  const distinct = new Set(ids);
  return distinct.size > mostNamed ? null : arrayOf('uuid', [...distinct]);
}

/** `rows`, or what a statement makes of them first: `said`, `moved`, `held`, `before`, `counted`, `ended`, `advance`. */
const BY_MERCHANT = /(\w+\.merchant_id) = (?:rows|said|moved|held|before|counted|ended|advance)\.merchant_id/g;

/** Wherever a table is joined to the rows by its merchant, the statement names which these are. */
function namingMerchants(text: string, place: number): { text: string; namesMerchants?: boolean } {
  if (text.search(BY_MERCHANT) === -1) return { text };
  return {
    text: text.replaceAll(BY_MERCHANT, (join, column: string) => `${join} and ${among(column, place)}`),
    namesMerchants: true,
  };
}

/** `insert into table (...) select * from unnest(...)`: one statement for any number of rows. */
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
  });
}

/** Types that `copyOf` writes. */
const COPIED: ReadonlySet<ColumnType> = new Set([
  'uuid',
  'text',
  'json',
  'bigint',
  'integer',
  'boolean',
  'timestamptz',
  'date',
]);

/**
 * As `setInsert`, for tables that every movement writes: the rows are sent as a COPY, in PostgreSQL's binary format. That
 * costs the server two thirds of the work, and casts nothing: each type is that of its column.
 */
export function setCopy<Row extends { [K in keyof Row]: ColumnValue }>(
  table: string,
  types: ColumnTypes<Row>,
): SetStatement<Row> {
  const insert = setInsert(table, types);
  const { columns } = insert;
  const other = columns.find(({ type }) => !COPIED.has(type));
  if (other !== undefined) throw new Error(`${table}.${other.name}: ${other.type} cannot be copied`);
  const names = columns.map(({ name }) => name).join(', ');
  return { ...insert, copyText: `copy ${table} (${names}) from stdin (format binary)` };
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
 * the number of the row, from 1, and what is found of it says it back as an integer.
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

/** Rows bound for one set-based statement. A movement carries these; the ledger runs each statement once a group. */
export interface Write {
  readonly into: SetStatement<never>;
  readonly row: Readonly<Record<string, ColumnValue>>;
}

export function write<Row extends { [K in keyof Row]: ColumnValue }>(into: SetStatement<Row>, row: Row): Write {
  return { into: into, row };
}

/** Rows for `run` or `columnArrays`, held to what the statement takes. */
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
      // What has the length of a UUID holds at most one: anything else is quoted, so that it fails as a whole.
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

/** One parameter a column, over all rows. Binding arrays keeps the statement's text fixed. */
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
 * The parameters of a question about many things at once: the merchant of each, an array for each further column, and last
 * `merchantsAmong` them.
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

/** Values as one parameter. What has no binary form of its type is left to PostgreSQL to read, or to refuse, as text. */
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

/** Nothing of ours happened before: what is moved back further stays here, where every clock can write it. */
const EARLIEST = `timestamptz '2000-01-01 00:00:00+00'`;

/**
 * SQL for a time that is `seconds` earlier, though never before the year 2000, wherever it was; null stays null. Reckoned
 * without a zone: else it would depend on the connection, and no distributed table may be changed by what does.
 * @param seconds an expression: a number, not negative.
 * @param notBefore another bound, as for what expires: nothing has expired before it was made.
 */
export function movedBack(column: string, seconds: string, notBefore = EARLIEST): string {
  const moved = `(greatest(${column}, ${EARLIEST}) at time zone 'UTC' - make_interval(secs => ${seconds})) at time zone 'UTC'`;
  return `case when ${column} is not null then greatest(${moved}, ${notBefore}) end`;
}

/**
 * The tenants that have rows of a table that may become due, each with the moment at which its first one is. It hops from
 * tenant to tenant through the index that begins with merchant_id, mode and due_at and has this condition: it costs as much as
 * there are such tenants, not as there are rows.
 */
const hopping = (table: string, condition: string): string => `with recursive tenants as (
     (select merchant_id, mode, due_at from ${table}
       where ${condition} order by merchant_id, mode, due_at limit 1)
     union all
     select next.merchant_id, next.mode, next.due_at
       from tenants
      cross join lateral (
        select t.merchant_id, t.mode, t.due_at from ${table} t
         where ${condition} and (t.merchant_id, t.mode) > (tenants.merchant_id, tenants.mode)
         order by t.merchant_id, t.mode, t.due_at limit 1
      ) next
   )`;

/** The same, each shard for itself: it costs as much as there are rows on the longest. */
const grouped = (table: string, condition: string): string => `with tenants as (
     select merchant_id, mode, min(due_at) as due_at from ${table} where ${condition} group by merchant_id, mode
   )`;

/**
 * A statement that begins with `tenants`: merchant, mode and moment of each that has rows of `table` that may become due.
 * The one place with a text for each engine: a recursion cannot go over shards, and one server hops much faster than it groups.
 * @param condition on the columns of the table alone, by which it has a due_at
 */
export function ofDueTenants<Row>(name: string, table: string, condition: string, rest: string): Statement<Row> {
  return {
    name,
    text: `${hopping(table, condition)}\n   ${rest}`,
    whereDistributed: `${grouped(table, condition)}\n   ${rest}`,
  };
}

/** Which transaction of a server this is: nobody else's has both. */
interface Transaction {
  pid: number;
  begun: string;
}

/** From here to the end of the transaction no statement runs for longer, in milliseconds as text: the server ends it. */
export const limitStatements = statement<Transaction>(
  'limit-statements',
  `select set_config('statement_timeout', $1, true), pg_backend_pid() as pid, extract(epoch from now())::text as begun`,
);

/** Ends the statement that runs in transaction $1, which began at $2, if any does. Of another server it ends nothing. */
export const cancelTransaction = statement(
  'cancel-transaction',
  `select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and extract(epoch from xact_start)::text = $2`,
);
