import { type Asked, composed } from '../db/statement.ts';
import type { List, ListPage } from './list.ts';

/** A row of a page by number. Each row has the total, which is then of the same moment. */
export type Counted<Row> = Row & { total_records: number | null };

/** A page by its number, with the number of all rows, counted up to one more than the list's `mostCounted`. */
export function pageOfList<Row>(
  list: List<Row>,
  { offset, limit, countUpTo }: { offset: number; limit: number; countUpTo: number },
): Asked<Counted<Row>> {
  return askedOf(`list-${list.name}`, list, (each, values) => textOfPage(each, values, { offset, limit, countUpTo }));
}

function textOfPage<Row>(
  list: List<Row>,
  values: unknown[],
  { offset, limit, countUpTo }: { offset: number; limit: number; countUpTo: number },
): string {
  const place = (value: unknown) => `$${values.push(value)}`;
  const total = totalOf(list, () => place(countUpTo));
  const where = [...list.where, ...(list.uncounted === undefined ? [] : [list.uncounted])].join(' and ');
  const order = orderOf(list, list.order.direction);
  const tail = `where ${where} order by ${order}`;
  const upTo = () => `limit ${place(offset + limit)}`;
  const range = () => `offset ${place(offset)} limit ${place(limit)}`;
  const rows =
    list.fromPage !== undefined
      ? `${list.fromPage({ tail, range, upTo })} ${tail}`
      : `${typeof list.from === 'string' ? list.from : list.from(`${tail} ${upTo()}`)} ${tail} ${range()}`;
  return `select ${list.columns}, (${total}) as total_records
    from ${rows}`;
}

/** The statement of a list, with a text for Citus where that reads something else. Both texts have the same values. */
function askedOf<Row, Answer>(
  name: string,
  list: List<Row>,
  textOf: (list: List<Row>, values: unknown[]) => string,
): Asked<Answer> {
  const values = [...list.values];
  const text = textOf(list, values);
  const { isFleeting = false, whereDistributed: from, fromPage: _, ...rest } = list;
  if (from === undefined) return composed(name, text, values, { isFleeting });
  const others = [...list.values];
  const whereDistributed = textOf({ ...rest, from }, others);
  if (others.length !== values.length) throw new Error(`${name}: its two texts take other values`);
  return composed(name, text, values, { isFleeting, whereDistributed });
}

/**
 * The rows of one page of a tenant's table, each found by its key: rows before the page are skipped in the index, which
 * need not be read where the index has all columns. The first two values of the list are the tenant's.
 */
export function pageOfTable(table: string, { tail, range }: ListPage): string {
  return `select t.* from (select merchant_id, mode, id from ${table} ${tail} ${range()}) place
    cross join lateral (select * from ${table} t where t.merchant_id = $1 and t.mode = $2 and t.id = place.id offset 0) t`;
}

/** The total alone, for a page after the last row. */
export function totalOfList<Row>(list: List<Row>, countUpTo: number): Asked<{ total_records: number }> {
  return askedOf(
    `count-${list.name}`,
    list,
    (each, values) => `select (${totalOf(each, () => `$${values.push(countUpTo)}`)}) as total_records`,
  );
}

/**
 * The rows next to a position: after it in the order of the list, or before it, nearest first. Nothing is counted.
 * @param key of the position; undefined is before the first row
 */
export function rowsBeyond<Row>(
  list: List<Row>,
  { direction, key, limit }: { direction: 'after' | 'before'; key: readonly unknown[] | undefined; limit: number },
): Asked<Row> {
  const { keys, direction: towards } = list.order;
  const ascends = (towards === 'asc') === (direction === 'after');
  return askedOf(`list-${list.name}`, list, (each, values) => {
    const where = [...each.where];
    if (key !== undefined) {
      const bounds = keys.map(({ type }, at) => `$${values.push(key[at])}::${type}`);
      // All keys in one comparison, as an index has them: no index could follow a comparison key by key.
      where.push(`(${keys.map(({ sql }) => sql).join(', ')}) ${ascends ? '>' : '<'} (${bounds.join(', ')})`);
    }
    const tail = `where ${where.join(' and ')} order by ${orderOf(each, ascends ? 'asc' : 'desc')} limit $${values.push(limit)}`;
    return `select ${each.columns} from ${typeof each.from === 'string' ? each.from : each.from(tail)} ${tail}`;
  });
}

/** The sums of a group of rows; `records` is one more than the most that are added up where there are more. */
export type Sums<Groups extends string, Summed extends string> = { [name in Groups]: string } & {
  records: number;
} & { [name in Summed]: string };

/**
 * The sums of a list: the number of rows, and sums of columns of minor units as text, by the values of other columns.
 * It adds up the first rows that are found, at most one more than the limit: where there are more, only that fact may
 * be shown.
 */
export function sumsOfList<Row, Groups extends string, Summed extends string>(
  list: List<Row>,
  groups: readonly Groups[],
  summed: readonly Summed[],
  upTo: number,
): Asked<Sums<Groups, Summed>> {
  const by = groups.join(', ');
  const sums = summed.map((name) => `sum(${name})::text as ${name}`);
  return askedOf(`sum-${list.name}`, list, (each, values) => {
    const found = firstRows(each, [...groups, ...summed].join(', '), `$${values.push(upTo + 1)}`);
    return `select ${by}, count(*)::int as records, ${sums.join(', ')} from (${found}) found group by ${by} order by ${by}`;
  });
}

const orderOf = <Row>({ order }: List<Row>, direction: 'asc' | 'desc') =>
  order.keys.map(({ sql }) => `${sql} ${direction}`).join(', ');

function totalOf<Row>(list: List<Row>, limit: () => string): string {
  const { total } = list;
  // A number in the text would make every total a statement of its own.
  if (total !== undefined) return typeof total === 'number' ? 'select null::int' : total;
  return `select count(*)::int from (${firstRows(list, '1', limit())}) counted`;
}

/** Rows in any order, at most so many. */
function firstRows<Row>({ countFrom, from, where }: List<Row>, columns: string, limit: string): string {
  const tail = `where ${where.join(' and ')} limit ${limit}`;
  return `select ${columns} from ${countFrom ?? (typeof from === 'string' ? from : from(tail))} ${tail}`;
}
