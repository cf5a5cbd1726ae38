import { isTenants, tablesIn, withoutComments } from './migration-rules.ts';
import type { Rule, SourceFile } from './rules.ts';

/** The last of the files that make a schema which no release had: they were never run on tables with rows. */
const LAST_UNRELEASED = 69;

/** What locks a table with rows for as long as all of them take, each with what does the same and does not. */
const LONG_LOCKS: readonly [RegExp, string][] = [
  [
    /^create\s+(?:unique\s+)?index\s+(?!concurrently)/i,
    'builds an index that nobody can write beside: create it concurrently, in a file of its own',
  ],
  [
    /^add\s+constraint\s+\w+\s+(?:check|foreign\s+key)(?![\s\S]*\bnot\s+valid\s*$)/i,
    'adds a constraint that every row is held to: add it not valid, and validate it in the next file',
  ],
  [
    /^add\s+constraint\s+\w+\s+(?:primary\s+key|unique)\s*\(/i,
    'builds the index of a key under a lock: create it concurrently, and add the key using index',
  ],
  [/^alter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/i, 'writes every row anew'],
  [
    /^alter\s+(?:column\s+)?\w+\s+set\s+not\s+null/i,
    'reads every row under a lock: add a check that it is not null, not valid, and validate it in the next file',
  ],
];

/** The last of the files that were made before the rules below. */
const LAST_BEFORE = 90;

/** The same of whole statements, whatever their table. */
const LONG_STATEMENTS: readonly [RegExp, string][] = [
  [/^reindex\b(?![\s\S]*\bconcurrently\b)/i, 'builds an index anew under a lock: reindex concurrently'],
  [/^(?:cluster\b|vacuum\s*\(?\s*full\b)/i, 'writes a table anew under a lock'],
  [/^lock\s+table\b/i, 'takes a lock for as long as the file takes'],
  [
    /^drop\s+index\s+(?!concurrently)/i,
    'waits for all who read the table: drop the index concurrently, in a file of its own',
  ],
  [/^refresh\s+materialized\b/i, 'reads whole tables under a lock'],
];

/** What an action of `alter table` does beside, which only a new file is held to. */
const LONG_ACTIONS: readonly [RegExp, string][] = [
  [
    /^add\s+(?:column\s+)?(?!constraint\b)[\s\S]*\bgenerated\s+always\b/i,
    'computes a column of every row under a lock',
  ],
  [/^add\s+(?:column\s+)?(?!constraint\b)\w+[\s\S]*\b(?:unique|primary\s+key)\b/i, 'builds an index under a lock'],
  [/^set\s+(?:tablespace|logged|unlogged|access\s+method)\b/i, 'writes the table anew under a lock'],
];

/** What is done to which table: a statement that makes an index, or one of the actions of a change. */
function actionsIn(sql: string): { table: string; action: string }[] {
  return sql
    .split(';')
    .map((text) => text.trim())
    .flatMap((text) => {
      const indexed = /^create\s+(?:unique\s+)?index\s.*?\son\s+(\w+)/is.exec(text)?.[1];
      if (indexed !== undefined) return [{ table: indexed, action: text }];
      const [start, table] = /^alter\s+table\s+(?:only\s+)?(\w+)\s+/i.exec(text) ?? [];
      if (start === undefined || table === undefined) return [];
      const actions = text.slice(start.length).split(/,\s*(?=(?:add|alter|drop|validate|rename)\s)/i);
      return actions.map((action) => ({ table, action }));
    });
}

const numberOf = ({ path }: SourceFile) => Number(path.slice('migrations/'.length, 'migrations/0000'.length));

export const migrationsTakeNoLongLock: Rule = (files) =>
  files
    .filter((file) => numberOf(file) > LAST_UNRELEASED)
    .flatMap((file) => {
      const own = new Set(tablesIn(file).map(({ name }) => name));
      const isNew = numberOf(file) > LAST_BEFORE;
      const actions = actionsIn(withoutComments(file.text)).filter(({ table }) => !own.has(table));
      const broken = actions.flatMap(({ table, action }) =>
        [...LONG_LOCKS, ...(isNew ? LONG_ACTIONS : [])]
          .filter(([pattern]) => pattern.test(action))
          .map(([, what]) => `${file.path}: ${table}: ${what}`),
      );
      return isNew ? [...broken, ...validatedAtOnce(file, actions), ...longStatementsIn(file, own)] : broken;
    });

/** Added and validated in one file is validated under the lock of the adding, which is held until its end. */
function validatedAtOnce({ path }: SourceFile, actions: readonly { table: string; action: string }[]): string[] {
  const added = actions.flatMap(({ action }) => /^add\s+constraint\s+(\w+)/i.exec(action)?.[1] ?? []);
  return actions
    .flatMap(({ action }) => /^validate\s+constraint\s+(\w+)/i.exec(action)?.[1] ?? [])
    .filter((name) => added.includes(name))
    .map((name) => `${path}: ${name} is validated under the lock that adding it took: validate it in the next file`);
}

function longStatementsIn(file: SourceFile, own: ReadonlySet<string>): string[] {
  const statements = withoutComments(file.text)
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const isOutside = (file.text.split('\n', 1)[0] ?? '').includes('-- no-transaction');
  const isConcurrent = statements.some((text) =>
    /^(?:create|drop|re)\s*(?:unique\s+)?index\s+concurrently\b/i.test(text),
  );
  return [
    ...(isConcurrent && !isOutside
      ? [`${file.path}: concurrently is for a file whose first line has -- no-transaction`]
      : []),
    ...(isOutside && statements.length > 1 ? [`${file.path}: a file outside of a transaction has one statement`] : []),
    ...statements.flatMap((text) => [
      ...LONG_STATEMENTS.filter(([pattern]) => pattern.test(text)).map(([, what]) => `${file.path}: ${what}`),
      ...changedRows(text)
        .filter((table) => !own.has(table) && isTenants(table))
        .map((table) => `${file.path}: ${table}: keeps the rows locked that it changes: let a job do it in pieces`),
    ]),
  ];
}

/** Of which table a statement changes rows that are there. */
function changedRows(text: string): string[] {
  const table = /^(?:update|delete\s+from)\s+(?:only\s+)?(\w+)/i.exec(text)?.[1];
  return table === undefined ? [] : [table];
}
