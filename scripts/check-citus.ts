import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { bringUpToDate } from '../src/bring-up-to-date.ts';
import { createLogger } from '../src/platform/logger.ts';
import { collectStatements } from './check-statements/collect.ts';
import { NOT_PLANNED, OF_ONE_SHARD } from './check-statements/distributed.ts';

/**
 * Plans every statement on a database that Citus distributes, that of `CITUS_URL`, and fails for one that it cannot plan. It
 * migrates and distributes the database first, and changes no row. `--list` says which statements go to more than one shard.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

const COMMAND = /^(set local|lock table|savepoint|release savepoint|rollback to savepoint)\b/;
const FIRST = '00000000-0000-0000-0000-000000000001';
const SECOND = '00000000-0000-0000-0000-000000000002';

/** A value of a type; of an array so many, of merchants on as many shards. */
function sampleOf(type: string, merchants: number): string {
  if (type === 'uuid[]') return `'{${[FIRST, SECOND].slice(0, merchants).join(',')}}'::uuid[]`;
  if (type.endsWith('[]')) {
    const item = sampleOf(type.slice(0, -2), merchants);
    return `array[${Array.from({ length: merchants }, () => item).join(', ')}]::${type}`;
  }
  const text = { uuid: FIRST, jsonb: '{}', json: '{}', boolean: 'true', date: '2026-01-01', interval: '1 second' }[
    type
  ];
  if (type.startsWith('timestamp')) return `'2026-01-01T00:00:00Z'::${type}`;
  return `'${text ?? '1'}'::${type}`;
}

async function planned(client: pg.Client, name: string, parameters: readonly string[], merchants: number) {
  const values = parameters.map((type) => sampleOf(type, merchants)).join(', ');
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (costs off) execute ${name}${values === '' ? '' : `(${values})`}`,
  );
  return rows.map((row) => row['QUERY PLAN']);
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
  const breaches: string[] = [];
  const several: string[] = [];
  const excused = new Set<string>();
  for (const [at, [text, name]] of [...texts].filter(([each]) => !COMMAND.test(each)).entries()) {
    try {
      await client.query(`prepare s_${at} as ${text}`);
      const { rows } = await client.query<{ types: string[] }>(
        'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
        [`s_${at}`],
      );
      const plan = await planned(client, `s_${at}`, rows[0]?.types ?? [], OF_ONE_SHARD.test(name) ? 1 : 2);
      const ofOne = await planned(client, `s_${at}`, rows[0]?.types ?? [], 1);
      if (tasksIn(ofOne) > 1) several.push(`${name}: ${tasksIn(ofOne)} shards`);
      else if (tasksIn(plan) > 1) several.push(`${name}: the shards of its merchants`);
    } catch (error) {
      if (name in NOT_PLANNED) excused.add(name);
      else breaches.push(`${name}: ${reasonOf(error)}`);
    }
  }
  await client.end();
  for (const name of Object.keys(NOT_PLANNED))
    if (!excused.has(name)) breaches.push(`scripts/check-statements/distributed.ts excuses ${name}, which is planned`);
  if (process.argv.includes('--list')) console.log(several.sort().join('\n'));
  if (breaches.length > 0) console.error(breaches.join('\n'));
  console.log(
    `${texts.size} statements, ${excused.size} not planned yet, ${several.length} of more than one shard, ${breaches.length} wrong`,
  );
  if (breaches.length > 0) process.exitCode = 1;
}

const address = process.env.CITUS_URL;
if (address === undefined) {
  console.error('Set CITUS_URL: a database on the coordinator of Citus, which this migrates and distributes.');
  process.exitCode = 1;
} else await check(address);
