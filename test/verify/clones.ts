import type pg from 'pg';
import { fingerprintSql } from '../../src/ledger/index.ts';
import { attemptDigest } from '../../src/payouts/index.ts';
import { readTables, type Table } from './catalog.ts';
import { NOT_MONEY } from './money-tables.ts';

/** Every id that was made in these days begins so: 20 bits of its moment. */
const PREFIX = 5;

/** Kept behind the books with figures of all merchants together: of copies nothing was read yet. */
const NOT_COPIED = ['event_cursors', 'payout_directory'];

/**
 * Copies the books of one merchant until there are so many of them, each with ids and account numbers of its own: the
 * quickest way to millions of transfers that have all that a real one leaves behind.
 */
export async function cloneBooks(client: pg.ClientBase, merchantId: string, copies: number): Promise<void> {
  const tables = (await readTables(client)).filter(
    ({ name, columns }) =>
      NOT_MONEY[name] === undefined &&
      !NOT_COPIED.includes(name) &&
      columns.some((column) => column.name === 'merchant_id'),
  );
  const { rows } = await client.query<{ account_number: string }>(
    'select account_number from account_numbers where merchant_id = $1 order by 1',
    [merchantId],
  );
  const numbers = rows.map(({ account_number }) => account_number);
  const prefix = merchantId.slice(0, PREFIX);
  await client.query('set synchronous_commit = off');
  const original = { merchantId, prefix, numbers };
  const templates = JSON.stringify(await templatesOf(client, original, copies));
  for (const table of tables) {
    const sql = await copyOf(client, table, original);
    if (sql !== undefined) await client.query(sql, sql.includes(TEMPLATES) ? [copies, templates] : [copies]);
  }
  await client.query('analyze');
}

interface Original {
  merchantId: string;
  prefix: string;
  numbers: readonly string[];
}

/** Each copy `n`, with the beginning of its ids and its account numbers. */
const copiesOf = (numbers: readonly string[]): string => {
  const numbered = numbers.map(
    (_, at) => `lpad((7000000000 + n * ${numbers.length} + ${at})::text, 10, '0') as number_${at}`,
  );
  return `(select n, lpad(to_hex(n), ${PREFIX}, '0') as prefix${numbered.map((number) => `, ${number}`).join('')}
             from generate_series(1, $1::int) n) c`;
};

const TEMPLATES = '$2::jsonb';
/** The id of a template is the hash of its text, which is another one in each copy. */
const templateOf = (id: string): string => `(${TEMPLATES} ->> (c.prefix || ${id}::text))::uuid`;

async function templatesOf(client: pg.ClientBase, original: Original, copies: number): Promise<Record<string, string>> {
  const text = await textOf(client, 'event_templates', 'text', original);
  const { rows } = await client.query<{ place: string; id: string }>(
    `select c.prefix || o.id::text as place, ${fingerprintSql(text)} as id
       from ${copiesOf(original.numbers)} join event_templates o on o.merchant_id = $2`,
    [copies, original.merchantId],
  );
  return Object.fromEntries(rows.map(({ place, id }) => [place, id]));
}

/** A table’s rows, once for each copy `n`; nothing where the merchant has none. */
async function copyOf(client: pg.ClientBase, table: Table, original: Original): Promise<string | undefined> {
  const { merchantId, prefix, numbers } = original;
  const mapped: string[] = [];
  for (const { name, type } of table.columns) {
    if (name === 'template_id') mapped.push(`${templateOf('o.template_id')} as template_id`);
    else if (table.name === 'event_templates' && name === 'id') mapped.push(`${templateOf('o.id')} as id`);
    else if (type === 'uuid') mapped.push(`(c.prefix || substr(o.${name}::text, ${PREFIX + 1}))::uuid as ${name}`);
    else if (type !== 'text' || name === 'mode') mapped.push(`o.${name}`);
    else mapped.push(`${await textOf(client, table.name, name, original)} as ${name}`);
  }
  const names = table.columns.map(({ name }) => name);
  const values = names.map((name) =>
    table.name === 'payout_attempts' && name === 'digest' ? attemptDigest('copied') : `copied.${name}`,
  );
  const { rowCount } = await client.query(`select 1 from ${table.name} where merchant_id = $1 limit 1`, [merchantId]);
  if (rowCount === 0) return undefined;
  return `insert into ${table.name} (${names.join(', ')})
    select ${values.join(', ')}
      from (
        select ${mapped.join(', ')}
          from ${copiesOf(numbers)}
          join ${table.name} o on o.merchant_id = '${merchantId}' and substr(o.merchant_id::text, 1, ${PREFIX}) = '${prefix}'
        offset 0
      ) copied`;
}

/** Ids and account numbers within a text are replaced where there are any. */
async function textOf(client: pg.ClientBase, table: string, column: string, { merchantId, prefix, numbers }: Original) {
  let text = `o.${column}`;
  const has = async (pattern: string) =>
    (
      await client.query(`select 1 from ${table} where merchant_id = $1 and ${column} ~ $2 limit 1`, [
        merchantId,
        pattern,
      ])
    ).rowCount === 1;
  const id = `${prefix}([0-9a-f]{3}-?[0-9a-f]{4}-?7)`;
  if (await has(id)) text = `regexp_replace(${text}, '${id}', c.prefix || '\\1', 'g')`;
  for (const [at, number] of numbers.entries())
    if (await has(number)) text = `replace(${text}, '${number}', c.number_${at})`;
  return text;
}
