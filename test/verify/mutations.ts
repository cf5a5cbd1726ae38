import { newId } from '../../src/platform/ids.ts';
import type { Column, Row, Table } from './catalog.ts';
import { drawOf } from './random.ts';

/** One value of one row that is another one, or one row that is gone or there twice. */
export interface Mutation {
  table: string;
  /** `*` where the whole row is meant. */
  column: string;
  /** What is done to it, in a word. */
  kind: string;
  /** Of the row, as text. */
  before: Row;
  /** What the row has and its words: one row of each sort is mutated. */
  sort: string;
  sql: string;
  values: readonly unknown[];
  /** With whom a value is exchanged. */
  with?: Row;
}

/** Words of ours, such as states, kinds and types of events. */
export const WORD = /^([A-Z][A-Z_]*|[a-z]+([._-][a-z]+)*)$/;

/** A row, what sort of row it is, and the rows after it, by which it is mutated. */
interface Chosen {
  row: Row;
  sort: string;
  next: readonly Row[];
}

/**
 * Every mutation of a table: each kind for each column of rows that differ in their words and in what they have. Which row of a
 * sort that is, and with what it is exchanged, goes by the seed and by what rows say without their ids and times.
 */
export function mutationsOf(table: Table, rows: readonly Row[], seed: number): Mutation[] {
  return representatives(table, inDrawnOrder(table, rows, seed)).flatMap((chosen) => [
    ...table.columns.flatMap((column) => ofColumn(table, column, chosen)),
    ...ofRow(table, chosen),
  ]);
}

/** What differs between two histories of one seed: ids, moments, and numbers that were drawn. */
const CHANCE = /[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{12,}|\d[\d:.TZ+-]*/gi;
const OF_CHANCE: readonly string[] = ['uuid', 'timestamp with time zone', 'date', 'bytea'];

function inDrawnOrder(table: Table, rows: readonly Row[], seed: number): Row[] {
  const told = table.columns.filter(({ type }) => !OF_CHANCE.includes(type));
  const seen = new Map<string, number>();
  return rows
    .map((row) => {
      const says = told.map(({ name }) => (row.values[name] ?? '-').replaceAll(CHANCE, '#')).join('|');
      const nth = (seen.get(says) ?? 0) + 1;
      seen.set(says, nth);
      return { row, draw: drawOf(seed, table.name, says, String(nth)) };
    })
    .sort((one, other) => one.draw - other.draw)
    .map(({ row }) => row);
}

/** One of each sort, rare sorts and all: rows differ in kind by their words, and by which values are there at all. */
function representatives(table: Table, rows: readonly Row[]): Chosen[] {
  const words = wordColumns(table, rows);
  const sorts = new Map<string, Chosen>();
  for (const [place, row] of rows.entries()) {
    const has = table.columns.map(({ name }) => (row.values[name] === null ? '-' : '+')).join('');
    const sort = [has, ...words.map((name) => wordOf(row.values[name] ?? ''))].join('|');
    if (!sorts.has(sort)) sorts.set(sort, { row, sort, next: [...rows.slice(place + 1), ...rows.slice(0, place)] });
  }
  return [...sorts.values()];
}

const wordOf = (value: string): string => (WORD.test(value) ? value : '#');

/** Columns that say of which sort a row is, whatever else stands in them, such as days beside words. */
export const TELLING = /^(type|kind|(from_|to_)?state|status|category|cause|code|scope|source|subject|trigger|way)$/;

/** However many words there are: a column that is left out takes its rare rows with it. */
function wordColumns(table: Table, rows: readonly Row[]): string[] {
  const isOfWords = (name: string) => rows.every(({ values }) => WORD.test(values[name] ?? 'none'));
  return table.columns
    .filter(({ name, type }) => type === 'text' && (TELLING.test(name) || isOfWords(name)))
    .map(({ name }) => name);
}

function ofColumn(table: Table, column: Column, chosen: Chosen): Mutation[] {
  const { row, next } = chosen;
  const { name, type } = column;
  const before = row.values[name] ?? null;
  const other = next.find(({ values }) => values[name] !== before && values[name] !== null);
  const changed: [kind: string, value: string | null][] = [
    ...changesOf(type, before),
    ...(other === undefined ? [] : [['another', other.values[name] ?? null] as [string, string | null]]),
    ['null', null],
  ];
  const set = `update ${table.name} set ${name} = $1::${type} where ctid = $2::tid`;
  const mutations = changed
    .filter(([, value]) => value !== before)
    .map(([kind, value]) => ({ ...at(table, name, kind, chosen), sql: set, values: [value, row.ctid] }));
  if (other === undefined || before === null || isAlike(table, name, row, other)) return mutations;
  const exchange = `update ${table.name} set ${name} = case ctid when $1::tid then $2::${type} else $3::${type} end
     where ctid in ($1::tid, $4::tid)`;
  const values = [row.ctid, other.values[name], before, other.ctid];
  return [...mutations, { ...at(table, name, 'swapped', chosen), sql: exchange, values, with: other }];
}

/** Rows that differ by this and their keys alone: exchanged, they say what they said. */
function isAlike({ columns, key }: Table, exchanged: string, one: Row, other: Row): boolean {
  const rest = columns.filter(({ name }) => name !== exchanged && !key.includes(name));
  return rest.every(({ name }) => one.values[name] === other.values[name]);
}

const at = ({ name }: Table, column: string, kind: string, { row, sort }: Chosen) => ({
  table: name,
  column,
  kind,
  before: row,
  sort,
});

function changesOf(type: string, before: string | null): [string, string][] {
  switch (type) {
    case 'bigint':
    case 'integer':
      if (before === null) return [['one', '1']];
      return [
        ['plus one', String(BigInt(before) + 1n)],
        ['minus one', String(BigInt(before) - 1n)],
      ];
    case 'uuid':
      return [['new id', newId()]];
    case 'boolean':
      return [['flipped', before === 'true' ? 'false' : 'true']];
    case 'timestamp with time zone':
      if (before === null) return [['now', new Date().toISOString()]];
      return [
        ['a second later', later(before, 1_000)],
        ['a day earlier', later(before, -86_400_000)],
      ];
    case 'date':
      return before === null ? [['today', new Date().toISOString().slice(0, 10)]] : [['a day later', nextDay(before)]];
    case 'text':
      return ofText(before);
    // PostgreSQL's text of bytes: \\x and two digits each.
    case 'bytea':
      return before === null ? [] : [['another byte', `${before}00`]];
    case 'text[]':
      return [
        ['emptied', '{}'],
        ['filled', '{GENERAL,SALARY,OWN_ACCOUNT}'],
      ];
    default:
      throw new Error(`a column of the type ${type} has no mutations yet`);
  }
}

/** PostgreSQL's own text of a moment has no T and short offsets. */
const later = (text: string, ms: number) =>
  new Date(new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).getTime() + ms).toISOString();
const nextDay = (text: string) => later(`${text} 00:00:00+00`, 86_400_000).slice(0, 10);

function ofText(before: string | null): [string, string][] {
  if (before === null) return [['word', 'x']];
  if (/^[[{]/.test(before)) return leafChanged(before);
  if (/^\d+$/.test(before)) return [['digit', before.slice(0, -1) + ((Number(before.at(-1)) + 1) % 10)]];
  return [['touched', `${before}x`]];
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One leaf of a JSON text, and its path as the kind: what nobody compares shows by its name. */
function leafChanged(text: string): [string, string][] {
  const paths = leavesOf(JSON.parse(text) as Json);
  if (paths.length === 0) return [['touched', text.startsWith('[') ? '[1]' : '{"x":1}']];
  return paths.map((path) => {
    const whole = { root: JSON.parse(text) as Json };
    let place: Record<string, Json> = whole;
    for (const step of ['root', ...path].slice(0, -1)) place = place[step] as Record<string, Json>;
    const last = path.at(-1) ?? 'root';
    place[last] = otherLeaf(last, place[last] as Json);
    return [`leaf ${path.filter((step) => !/^\d+$/.test(step)).join('.')}`, JSON.stringify(whole.root)];
  });
}

function leavesOf(json: Json): string[][] {
  if (json === null || typeof json !== 'object') return [[]];
  return Object.entries(json).flatMap(([key, value]) => leavesOf(value).map((path) => [key, ...path]));
}

/** One of its own kind, which can be read where the other one could: a text that is no id is found without being compared. */
function otherLeaf(name: string, leaf: Json): Json {
  if (typeof leaf === 'number') return Math.round(leaf * 100 + 1) / 100;
  if (typeof leaf === 'boolean') return !leaf;
  const text = typeof leaf === 'string' ? leaf : '';
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text) || (text === '' && name.endsWith('Id'))) return newId();
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return later(text, 1_000);
  return text === '' && name.endsWith('At') ? new Date().toISOString() : `${text}x`;
}

function ofRow(table: Table, chosen: Chosen): Mutation[] {
  const { row } = chosen;
  const gone = { ...at(table, '*', 'deleted', chosen), sql: `delete from ${table.name} where ctid = $1::tid` };
  const names = table.columns.map(({ name }) => name);
  const twice = table.key
    .filter((name) => name !== 'merchant_id' && name !== 'mode')
    .map((key) => {
      const type = table.columns.find(({ name }) => name === key)?.type;
      const fresh = type === 'uuid' ? `'${newId()}'::uuid` : type === 'text' ? `${key} || 'x'` : `${key} + 100000`;
      const list = names.map((name) => (name === key ? fresh : name)).join(', ');
      return {
        ...at(table, '*', `twice, with another ${key}`, chosen),
        sql: `insert into ${table.name} (${names.join(', ')}) select ${list} from ${table.name} where ctid = $1::tid`,
        values: [row.ctid],
      };
    });
  return [{ ...gone, values: [row.ctid] }, ...twice];
}
