import { type Asked, composed } from '../db/statement.ts';
import type { List, ListPage } from './list.ts';

/** A row of a page by number. All of them carry the total: it is of the same moment as they are. */
export type Counted<Row> = Row & { total_records: number | null };

/** A page by its number, and how many rows there are in all, counted up to one more than the list's `mostCounted`. */
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

/** What is asked of a list, with a text for Citus where that reads something else. Each text adds the same values. */
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
 * The rows of one page of a tenant's table, each found by its key: what goes before them is skipped in the index, without its
 * rows where that has all that is asked for. The first two values of the list are the tenant's.
 */
export function pageOfTable(table: string, { tail, range }: ListPage): string {
  return `select t.* from (select merchant_id, mode, id from ${table} ${tail} ${range()}) place
    cross join lateral (select * from ${table} t where t.merchant_id = $1 and t.mode = $2 and t.id = place.id offset 0) t`;
}

/** The total alone, for a page behind the last row. */
export function totalOfList<Row>(list: List<Row>, countUpTo: number): Asked<{ total_records: number }> {
  return askedOf(
    `count-${list.name}`,
    list,
    (each, values) => `select (${totalOf(each, () => `$${values.push(countUpTo)}`)}) as total_records`,
  );
}

/**
 * The rows next to a position: behind it in the order of the list, or before it, nearest first. Nothing is counted.
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
      // All keys at once, as an index has them: key by key, no index could follow.
      where.push(`(${keys.map(({ sql }) => sql).join(', ')}) ${ascends ? '>' : '<'} (${bounds.join(', ')})`);
    }
    const tail = `where ${where.join(' and ')} order by ${orderOf(each, ascends ? 'asc' : 'desc')} limit $${values.push(limit)}`;
    return `select ${each.columns} from ${typeof each.from === 'string' ? each.from : each.from(tail)} ${tail}`;
  });
}

/** What the rows of a group come to; `records` adds up to one more than are added up at most where there are more. */
export type Sums<Groups extends string, Summed extends string> = { [name in Groups]: string } & {
  records: number;
} & { [name in Summed]: string };

/**
 * What a list comes to: how many rows, and sums of columns of minor units as text, by the words of other columns. Of the
 * first rows that are found, one more than are added up at most: then nothing of it may be shown but that there are more.
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
  // A number in the text would make a statement of its own of every total.
  if (total !== undefined) return typeof total === 'number' ? 'select null::int' : total;
  return `select count(*)::int from (${firstRows(list, '1', limit())}) counted`;
}

/** Rows in any order, so many at most. */
function firstRows<Row>({ countFrom, from, where }: List<Row>, columns: string, limit: string): string {
  const tail = `where ${where.join(' and ')} limit ${limit}`;
  return `select ${columns} from ${countFrom ?? (typeof from === 'string' ? from : from(tail))} ${tail}`;
}
