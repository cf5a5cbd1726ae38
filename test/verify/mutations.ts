import { newId } from '../../src/platform/ids.ts';
import type { Column, Row, Table } from './catalog.ts';
import type { Random } from './random.ts';

/** One value of one row that is another one, or one row that is gone or there twice. */
export interface Mutation {
  table: string;
  /** `*` where the whole row is meant. */
  column: string;
  /** What is done to it, in a word. */
  kind: string;
  /** Of the row, as text. */
  before: Row;
  sql: string;
  values: readonly unknown[];
  /** With whom a value is exchanged. */
  with?: Row;
}

/** Words of ours, such as states, kinds and types of events. */
const WORD = /^([A-Z][A-Z_]*|[a-z]+([._-][a-z]+)*)$/;
const WORDS_AT_MOST = 60;

/** Every mutation of a table: each kind for each column of rows that differ in their words and in what they have. */
export function mutationsOf(table: Table, rows: readonly Row[], random: Random): Mutation[] {
  return representatives(table, random.shuffled(rows)).flatMap((row) => [
    ...table.columns.flatMap((column) => ofColumn(table, column, row, rows, random)),
    ...ofRow(table, row),
  ]);
}

/** One of each sort, rare sorts and all: rows differ in kind by their words, and by which values are there at all. */
function representatives(table: Table, rows: readonly Row[]): Row[] {
  const words = table.columns.filter(({ name, type }) => type === 'text' && isWord(name, rows));
  const sorts = new Map<string, Row>();
  for (const row of rows) {
    const has = table.columns.map(({ name }) => (row.values[name] === null ? '-' : '+')).join('');
    const sort = [has, ...words.map(({ name }) => row.values[name])].join('|');
    if (!sorts.has(sort)) sorts.set(sort, row);
  }
  return [...sorts.values()];
}

function isWord(name: string, rows: readonly Row[]): boolean {
  const values = new Set(rows.map((row) => row.values[name]).filter((value) => value !== null));
  return values.size <= WORDS_AT_MOST && [...values].every((value) => WORD.test(value ?? ''));
}

function ofColumn(table: Table, column: Column, row: Row, rows: readonly Row[], random: Random): Mutation[] {
  const { name, type } = column;
  const before = row.values[name] ?? null;
  const others = rows.filter(({ values }) => values[name] !== before && values[name] !== null);
  const other = others.length === 0 ? undefined : random.pick(others);
  const changed: [kind: string, value: string | null][] = [
    ...changesOf(type, before, random),
    ...(other === undefined ? [] : [['another', other.values[name] ?? null] as [string, string | null]]),
    ['null', null],
  ];
  const set = `update ${table.name} set ${name} = $1::${type} where ctid = $2::tid`;
  const mutations = changed
    .filter(([, value]) => value !== before)
    .map(([kind, value]) => ({ ...at(table, name, kind, row), sql: set, values: [value, row.ctid] }));
  if (other === undefined || before === null || isAlike(table, name, row, other)) return mutations;
  const exchange = `update ${table.name} set ${name} = case ctid when $1::tid then $2::${type} else $3::${type} end
     where ctid in ($1::tid, $4::tid)`;
  const values = [row.ctid, other.values[name], before, other.ctid];
  return [...mutations, { ...at(table, name, 'swapped', row), sql: exchange, values, with: other }];
}

/** Rows that differ by this and their keys alone: exchanged, they say what they said. */
function isAlike({ columns, key }: Table, exchanged: string, one: Row, other: Row): boolean {
  const rest = columns.filter(({ name }) => name !== exchanged && !key.includes(name));
  return rest.every(({ name }) => one.values[name] === other.values[name]);
}

const at = ({ name }: Table, column: string, kind: string, before: Row) => ({ table: name, column, kind, before });

function changesOf(type: string, before: string | null, random: Random): [string, string][] {
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
      return ofText(before, random);
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

function ofText(before: string | null, random: Random): [string, string][] {
  if (before === null) return [['word', 'x']];
  if (/^[[{]/.test(before)) return leafChanged(before, random);
  if (/^\d+$/.test(before)) return [['digit', before.slice(0, -1) + ((Number(before.at(-1)) + 1) % 10)]];
  return [['touched', `${before}x`]];
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One leaf of a JSON text, and its path as the kind: what nobody compares shows by its name. */
function leafChanged(text: string, random: Random): [string, string][] {
  const paths = leavesOf(JSON.parse(text) as Json);
  if (paths.length === 0) return [['touched', text.startsWith('[') ? '[1]' : '{"x":1}']];
  return random
    .shuffled(paths)
    .slice(0, LEAVES_AT_ONCE)
    .map((path) => {
      const whole = { root: JSON.parse(text) as Json };
      let place: Record<string, Json> = whole;
      for (const step of ['root', ...path].slice(0, -1)) place = place[step] as Record<string, Json>;
      const last = path.at(-1) ?? 'root';
      place[last] = otherLeaf(place[last] as Json);
      return [`leaf ${path.filter((step) => !/^\d+$/.test(step)).join('.')}`, JSON.stringify(whole.root)];
    });
}

const LEAVES_AT_ONCE = 6;

function leavesOf(json: Json): string[][] {
  if (json === null || typeof json !== 'object') return [[]];
  return Object.entries(json).flatMap(([key, value]) => leavesOf(value).map((path) => [key, ...path]));
}

function otherLeaf(leaf: Json): Json {
  if (typeof leaf === 'number') return Math.round(leaf * 100 + 1) / 100;
  if (typeof leaf === 'boolean') return !leaf;
  return `${typeof leaf === 'string' ? leaf : ''}x`;
}

function ofRow(table: Table, row: Row): Mutation[] {
  const gone = { ...at(table, '*', 'deleted', row), sql: `delete from ${table.name} where ctid = $1::tid` };
  const names = table.columns.map(({ name }) => name);
  const twice = table.key
    .filter((name) => name !== 'merchant_id' && name !== 'mode')
    .map((key) => {
      const type = table.columns.find(({ name }) => name === key)?.type;
      const fresh = type === 'uuid' ? `'${newId()}'::uuid` : type === 'text' ? `${key} || 'x'` : `${key} + 100000`;
      const list = names.map((name) => (name === key ? fresh : name)).join(', ');
      return {
        ...at(table, '*', `twice, with another ${key}`, row),
        sql: `insert into ${table.name} (${names.join(', ')}) select ${list} from ${table.name} where ctid = $1::tid`,
        values: [row.ctid],
      };
    });
  return [{ ...gone, values: [row.ctid] }, ...twice];
}
