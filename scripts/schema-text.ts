import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { MIGRATIONS_DIRECTORY } from '../src/platform/db/migrate.ts';

const HEADER = `-- The whole schema as the migrations make it, in their order, for reading. Written by \`npm run schema\`: change it by a
-- new migration. Left out: the first rows of reference tables, and schema_migrations, which is the runner's.`;

const LINE_WIDTH = 120;

/** What the migrations have made of the database that `client` is connected to, as one text of SQL. */
export async function schemaText(client: pg.ClientBase): Promise<string> {
  const [tables, columns, constraints, indexes, code] = [
    await readTables(client),
    await readColumns(client),
    await readConstraints(client),
    await readIndexes(client),
    await readCode(client),
  ];
  const subjects = subjectsOfTables();
  const parts = [HEADER];
  let subject: string | undefined;
  for (const table of tables) {
    if (subjects.get(table.name) !== subject) {
      subject = subjects.get(table.name);
      parts.push(`-- ==== ${subject} ====`);
    }
    const items = [
      ...columns.filter((column) => column.table === table.name).flatMap(columnLines),
      ...constraints.filter((constraint) => constraint.table === table.name).flatMap(constraintLines),
    ];
    const last = items.length - 1;
    const options = table.options === null ? '' : ` with (${table.options})`;
    parts.push(
      [
        ...comment(table.comment, ''),
        `create table ${table.name} (`,
        ...items.flatMap((line, at) =>
          line.startsWith('--') ? [`  ${line}`] : folded(`  ${line}${at === last ? '' : ','}`),
        ),
        `)${options};`,
        ...indexes
          .filter((index) => index.table === table.name)
          .flatMap((index) => folded(`${plain(index.definition)};`)),
      ].join('\n'),
    );
  }
  return [...parts, '-- ==== triggers and functions ====', ...code].join('\n\n').concat('\n');
}

/** The migration that first makes a table says what it is about, also where a later one gives it another name. */
function subjectsOfTables(): Map<string, string> {
  const subjects = new Map<string, string>();
  for (const name of readdirSync(MIGRATIONS_DIRECTORY).sort()) {
    const text = readFileSync(join(MIGRATIONS_DIRECTORY, name), 'utf8');
    for (const [, table] of text.matchAll(/^create table (\w+)/gm)) {
      if (!subjects.has(table as string)) subjects.set(table as string, name.replace(/\.sql$/, ''));
    }
    for (const [, before, table] of text.matchAll(/^alter table (\w+) rename to (\w+);/gm)) {
      subjects.set(table as string, subjects.get(before as string) as string);
    }
  }
  return subjects;
}

interface Table {
  name: string;
  options: string | null;
  comment: string | null;
}

async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select relname as name, replace(array_to_string(reloptions, ', '), '=', ' = ') as options,
            obj_description(oid, 'pg_class') as comment
       from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'
      order by oid`,
  );
  return rows;
}

interface Column {
  table: string;
  name: string;
  type: string;
  rest: string;
  comment: string | null;
}

async function readColumns(client: pg.ClientBase): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
            case when a.attnotnull then ' not null' else '' end
              || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as rest,
            col_description(c.oid, a.attnum) as comment
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace
      order by c.oid, a.attnum`,
  );
  return rows;
}

function columnLines({ name, type, rest, comment: about }: Column): string[] {
  return [...comment(about, '  '), `${name} ${type.replace('timestamp with time zone', 'timestamptz')}${plain(rest)}`];
}

interface Constraint {
  table: string;
  name: string;
  definition: string;
}

/** Keys first; what a column says itself (`not null`) is a constraint to newer servers only. */
async function readConstraints(client: pg.ClientBase): Promise<Constraint[]> {
  const { rows } = await client.query<Constraint>(
    `select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid, true) as definition
       from pg_constraint k
       join pg_class c on c.oid = k.conrelid
      where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f', 'c')
      order by position(k.contype in 'pufc'), k.oid`,
  );
  return rows;
}

function constraintLines({ name, definition }: Constraint): string[] {
  return [`constraint ${name} ${plain(definition)}`];
}

interface Index {
  table: string;
  definition: string;
}

async function readIndexes(client: pg.ClientBase): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `select c.relname as table, pg_get_indexdef(x.indexrelid, 0, true) as definition
       from pg_index x
       join pg_class c on c.oid = x.indrelid
      where c.relnamespace = 'public'::regnamespace
        and not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u'))
      order by x.indexrelid`,
  );
  return rows;
}

async function readCode(client: pg.ClientBase): Promise<string[]> {
  const functions = await client.query<{ definition: string }>(
    `select pg_get_functiondef(oid) as definition from pg_proc where pronamespace = 'public'::regnamespace order by oid`,
  );
  const triggers = await client.query<{ definition: string }>(
    `select pg_get_triggerdef(t.oid, true) as definition from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace = 'public'::regnamespace
      order by t.oid`,
  );
  return [
    ...functions.rows.map(({ definition }) => `${definition.trimEnd().replaceAll('public.', '')};`),
    ...triggers.rows.map(({ definition }) => folded(`${plain(definition)};`).join('\n')),
  ];
}

/** PostgreSQL's own words for an expression, as one writes them: no casts of literals, lists instead of arrays. */
function plain(definition: string): string {
  const short = definition
    .replaceAll(/::(text|bpchar|uuid)(\[\])?/g, '')
    .replaceAll(/'-infinity'::timestamp with time zone/g, "'-infinity'")
    .replaceAll(/ = ANY \(ARRAY\[(.*?)\]\)/g, ' in ($1)')
    .replaceAll(/ <> ALL \(ARRAY\[(.*?)\]\)/g, ' not in ($1)')
    .replaceAll(' USING btree', '')
    .replaceAll('public.', '');
  return short.replaceAll(/'[^']*'|[^']+/g, (part) => (part.startsWith("'") ? part : part.toLowerCase()));
}

function comment(text: string | null, indent: string): string[] {
  return text === null ? [] : wrapped(text, LINE_WIDTH - indent.length - 3).map((line) => `-- ${line}`);
}

/** A line of SQL that is too long goes on in the next, further in. */
function folded(line: string): string[] {
  const indent = line.length - line.trimStart().length;
  const lines = wrapped(line.trimStart(), LINE_WIDTH - indent - 4);
  return lines.map((text, at) => `${' '.repeat(at === 0 ? indent : indent + 4)}${text}`);
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
