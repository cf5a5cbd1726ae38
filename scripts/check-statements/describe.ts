import type pg from 'pg';
import { isNode, nodesOf, readTree, type TreeNode, wordOf } from './node-tree.ts';
import { type Catalogue, type Nullness, nullabilityOf } from './nullability.ts';

export interface DescribedColumn {
  name: string;
  /** As PostgreSQL names it, such as `timestamp with time zone`. */
  type: string;
  nullness: Nullness;
}

/** What the database says of a statement, or why it cannot. */
export type Described = { columns: DescribedColumn[] } | { failure: string };

/** Parses every text as PostgreSQL does for a client, without running any. */
export async function describeStatements(client: pg.ClientBase, texts: readonly string[]): Promise<Described[]> {
  const failures = await prepareAll(client, texts);
  const { rows } = await client.query<{ at: number; parameters: string[]; results: string[] | null }>(
    `select substring(name from 3)::int as at, parameter_types::text[] as parameters, result_types::text[] as results
       from pg_prepared_statements where name like 's\\_%'`,
  );
  const catalogue = await readCatalogue(client);
  const described = new Map<number, Described>();
  for (const { at, parameters, results } of rows) {
    described.set(at, { columns: await columnsOf(client, texts[at] as string, parameters, results ?? [], catalogue) });
  }
  return texts.map((_, at) => described.get(at) ?? { failure: failures.get(at) ?? 'PostgreSQL did not describe it' });
}

async function prepareAll(client: pg.ClientBase, texts: readonly string[]): Promise<Map<number, string>> {
  const failures = new Map<number, string>();
  for (const [at, text] of texts.entries()) {
    try {
      await client.query(`prepare s_${at} as ${text}`);
    } catch (error) {
      failures.set(at, (error as Error).message);
    }
  }
  return failures;
}

/** The parsed query, which says of each column where it comes from, is the body of a function over the same text. */
async function columnsOf(
  client: pg.ClientBase,
  text: string,
  parameters: readonly string[],
  results: readonly string[],
  catalogue: Catalogue,
): Promise<DescribedColumn[]> {
  if (results.length === 0) return [];
  const name = 'pg_temp.described';
  await client.query(
    `create function ${name}(${parameters.join(', ')}) returns setof record begin atomic ${text}; end`,
  );
  const { rows } = await client.query<{ body: string }>(
    `select prosqlbody::text as body from pg_proc where oid = '${name}'::regproc`,
  );
  await client.query(`drop function ${name}`);
  const query = queryIn(rows[0]?.body ?? '');
  const nullness = nullabilityOf(query, catalogue);
  return namesOf(query).map((column, at) => ({
    name: column,
    type: results[at] as string,
    nullness: nullness[at] as Nullness,
  }));
}

function queryIn(body: string): TreeNode {
  let tree = readTree(body);
  while (Array.isArray(tree)) tree = tree[0] ?? null;
  if (!isNode(tree)) throw new Error(`not a query: ${body.slice(0, 80)}`);
  return tree;
}

function namesOf({ fields }: TreeNode): string[] {
  const list = fields.commandType === '1' ? fields.targetList : fields.returningList;
  return nodesOf(list)
    .filter((entry) => entry.fields.resjunk !== 'true')
    .map((entry) => wordOf(entry.fields.resname));
}

async function readCatalogue(client: pg.ClientBase): Promise<Catalogue> {
  const columns = await client.query<{ key: string }>(
    `select attrelid || '.' || attnum as key from pg_attribute where attnotnull and attnum > 0`,
  );
  const functions = await client.query<{ oid: string; name: string; is_strict: boolean }>(
    'select oid::text as oid, proname as name, proisstrict as is_strict from pg_proc',
  );
  const notNull = new Set(columns.rows.map(({ key }) => key));
  const catalogue = {
    notNull,
    functions: new Map(functions.rows.map(({ oid, name, is_strict }) => [oid, { name, isStrict: is_strict }])),
  };
  // A column of a view is what its query returns; a view may read those that were made before it.
  const views = await client.query<{ oid: string; query: string }>(
    `select c.oid::text as oid, r.ev_action::text as query
       from pg_rewrite r join pg_class c on c.oid = r.ev_class
      where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace order by c.oid`,
  );
  for (const { oid, query } of views.rows)
    for (const [at, nullness] of nullabilityOf(queryIn(query), catalogue).entries())
      if (nullness === 'never') notNull.add(`${oid}.${at + 1}`);
  return catalogue;
}
