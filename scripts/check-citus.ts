import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { bringUpToDate } from '../src/bring-up-to-date.ts';
import { createLogger } from '../src/platform/logger.ts';
import { collectStatements } from './check-statements/collect.ts';
import { OF_ONE_SERVER, OF_ONE_SHARD } from './check-statements/distributed.ts';

/**
 * Runs every statement on a database that Citus distributes, that of `CITUS_URL`, and fails for one that it cannot run. It
 * migrates and distributes the database first, and changes no row. `--list` says which statements go to more than one shard.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

const COMMAND = /^(set local|lock table|savepoint|release savepoint|rollback to savepoint)\b/;
const FIRST = '00000000-0000-0000-0000-000000000001';

/** Another merchant: on the shard of the first, or on another one. */
async function findSecond(client: pg.Client, isBeside: boolean): Promise<string> {
  const shard = "get_shard_id_for_distribution_column('books', id)";
  const { rows } = await client.query<{ id: string }>(
    `select id::text from (select ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid as id
                             from generate_series(2, 1000) n) ids
      where (${shard} = get_shard_id_for_distribution_column('books', $1::uuid)) = $2 limit 1`,
    [FIRST, isBeside],
  );
  return rows[0]?.id ?? FIRST;
}

/** A value of a type; of an array as many as there are merchants. */
function sampleOf(type: string, merchants: readonly string[]): string {
  if (type === 'uuid[]') return `'{${merchants.join(',')}}'::uuid[]`;
  if (type.endsWith('[]')) {
    const item = sampleOf(type.slice(0, -2), merchants);
    return `array[${merchants.map(() => item).join(', ')}]::${type}`;
  }
  const text = { uuid: FIRST, jsonb: '{}', json: '{}', boolean: 'true', date: '2026-01-01', interval: '1 second' }[
    type
  ];
  if (type.startsWith('timestamp')) return `'2026-01-01T00:00:00Z'::${type}`;
  return `'${text ?? '1'}'::${type}`;
}

function executed(name: string, parameters: readonly string[], merchants: readonly string[]): string {
  const values = parameters.map((type) => sampleOf(type, merchants)).join(', ');
  return `execute ${name}${values === '' ? '' : `(${values})`}`;
}

/** How it is planned; an insert of what it selects by its parameters is one that Citus runs and does not explain. */
async function planned(client: pg.Client, execution: string): Promise<string[]> {
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${execution}`);
    return rows.map((row) => row['QUERY PLAN']);
  } catch (error) {
    if (reasonOf(error) === 'could not create distributed plan') return [];
    throw error;
  }
}

/** What a constraint or a cast refuses was planned, and sent: samples are no rows of ours. */
const REFUSED = /violates|out of range|malformed|invalid input syntax for type (?![\w ]+: "PGCOPY")/;

/** Some statements are planned and cannot be run: what one server writes for another is then read as something else. */
async function run(client: pg.Client, execution: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(execution);
  } catch (error) {
    if (!REFUSED.test(reasonOf(error))) throw error;
  } finally {
    await client.query('rollback');
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const tasksIn = (plan: readonly string[]) =>
  Math.max(0, ...plan.map((line) => Number(/Task Count: (\d+)/.exec(line)?.[1] ?? 0)));

async function check(connectionString: string): Promise<void> {
  await bringUpToDate({ connectionString, logger: createLogger('warn') }, true);
  const files = globSync(`${root}src/**/*.ts`).filter((file) => file !== `${root}src/main.ts`);
  const recorded = await collectStatements([...files, `${root}scripts/check-statements/samples.ts`]);
  const texts = new Map(recorded.map(({ name, text, whereDistributed = text }) => [whereDistributed, name]));
  const client = new pg.Client({ connectionString });
  await client.connect();
  const [beside, elsewhere] = [await findSecond(client, true), await findSecond(client, false)];
  const breaches: string[] = [];
  const several: string[] = [];
  const asked = [...texts].filter(([text, name]) => !COMMAND.test(text) && !OF_ONE_SERVER.test(name));
  for (const [at, [text, name]] of asked.entries()) {
    try {
      await client.query(`prepare s_${at} as ${text}`);
      const { rows } = await client.query<{ types: string[] }>(
        'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
        [`s_${at}`],
      );
      const execution = (merchants: readonly string[]) => executed(`s_${at}`, rows[0]?.types ?? [], merchants);
      const ofTwo = execution([FIRST, OF_ONE_SHARD.test(name) ? beside : elsewhere]);
      const plan = await planned(client, ofTwo);
      const ofOne = await planned(client, execution([FIRST]));
      await run(client, ofTwo);
      await run(client, execution([FIRST]));
      if (tasksIn(ofOne) > 1) several.push(`${name}: ${tasksIn(ofOne)} shards`);
      else if (tasksIn(plan) > 1) several.push(`${name}: the shards of its merchants`);
    } catch (error) {
      breaches.push(`${name}: ${reasonOf(error)}`);
    }
  }
  await client.end();
  if (process.argv.includes('--list')) console.log(several.sort().join('\n'));
  if (breaches.length > 0) console.error(breaches.join('\n'));
  console.log(`${texts.size} statements, ${several.length} of more than one shard, ${breaches.length} wrong`);
  if (breaches.length > 0) process.exitCode = 1;
}

const address = process.env.CITUS_URL;
if (address === undefined) {
  console.error('Set CITUS_URL: a database on the coordinator of Citus, which this migrates and distributes.');
  process.exitCode = 1;
} else await check(address);
