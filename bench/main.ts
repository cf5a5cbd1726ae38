import { type BooksReport, checkBooks } from './books.ts';
import { measureCitus } from './citus.ts';
import { CLAIMS, type Claim } from './claims.ts';
import { cleanUp, cleanUpOnSignals, isCleaningUp } from './cleanup.ts';
import { LOADS, type Load, type Measure } from './loads.ts';
import { describeMachine } from './machine.ts';
import { HOW_TO_ADD_PEERS } from './peers.ts';
import { type Pgbench, preparePgbench } from './pgbench.ts';
import { type Plan, readPlan, USAGE } from './plan.ts';
import { isInMemory, makeWorkFolder, startPostgres } from './postgres.ts';
import { formatReport, makeReport, type Report } from './report.ts';
import type { Run } from './run.ts';
import { createStage, progress, type Stage } from './stage.ts';

async function main(plan: Plan): Promise<number> {
  if (plan.citus) {
    const report = await measureCitus(plan);
    if (report !== undefined) print(plan, report);
    return report === undefined ? 1 : exitCode(report.books);
  }
  if (plan.peers !== undefined) console.error(`${HOW_TO_ADD_PEERS}\n`);
  if (plan.peers !== undefined && plan.peers.pgledger === undefined) return 0;
  const claims = CLAIMS.filter(({ isPeer = false }) => isPeer === (plan.peers !== undefined))
    .filter(({ name, loads }) => plan.only === undefined || plan.only === name || loads.includes(plan.only))
    .filter(({ name }) => name !== 'growth' || plan.grownTransfers > 0);
  if (claims.length === 0) {
    console.error(`There is no load "${plan.only}" here. There are: ${CLAIMS.map(({ name }) => name).join(', ')}.`);
    return 1;
  }
  const folder = makeWorkFolder();
  if (isInMemory(folder)) console.error(`${folder} is in memory: a commit costs nothing there. Set TMPDIR to a disk.`);
  progress('starting PostgreSQL');
  const server = await startPostgres(folder);
  const machine = describeMachine(server);
  const stage = createStage(plan, folder, server);
  const results = await measureAll(stage, claims);
  await stage.stopServices();
  const books = await checkBooks(stage);
  const { rounds, runSeconds, warmUpSeconds, quick } = plan;
  const measured = { rounds, runSeconds, warmUpSeconds, quick };
  print(plan, makeReport({ machine, measured, books }, claims, results));
  return exitCode(books);
}

async function measureAll(stage: Stage, claims: readonly Claim[]): Promise<Map<string, Run[]>> {
  const { plan, server } = stage;
  const results = new Map<string, Run[]>();
  const pgbench = claims.some(({ comparesWithPgbench }) => comparesWithPgbench)
    ? await preparePgbench(server, plan.pgbenchScale)
    : undefined;
  const loads = LOADS.filter(({ name }) => claims.some((claim) => claim.loads.includes(name)));
  const once = loads.filter((load) => load.once);
  const beside = loads.filter((load) => load.name !== 'growth' && !load.once);
  // Once before and once after: a machine that warms up or gets a neighbour in between does not make us look good.
  await measurePgbench(plan, pgbench, results);
  await measureRounds(stage, beside, results);
  if (!plan.quick) await measurePgbench(plan, pgbench, results);
  await measureRounds(
    stage,
    loads.filter(({ name }) => name === 'growth'),
    results,
  );
  await measureOnce(stage, once, results);
  return results;
}

async function measurePgbench(plan: Plan, pgbench: Pgbench | undefined, results: Map<string, Run[]>): Promise<void> {
  if (pgbench === undefined) return;
  for (const clients of plan.pgbenchClients) {
    add(results, { [`pgbench-${clients}`]: await pgbench.run(clients, plan.runSeconds) });
  }
}

/** By turns, so that no load has the good minutes of the machine to itself. */
async function measureRounds(stage: Stage, loads: readonly Load[], results: Map<string, Run[]>): Promise<void> {
  const measures: Measure[] = [];
  for (const load of loads) {
    progress(`preparing ${load.name}`);
    measures.push(await load.prepare(stage));
  }
  for (let round = 0; round < stage.plan.rounds; round += 1) {
    for (const measure of measures) add(results, await measure());
  }
}

/** By itself: what takes minutes would only disturb the rounds. */
async function measureOnce(stage: Stage, loads: readonly Load[], results: Map<string, Run[]>): Promise<void> {
  for (const load of loads) {
    progress(`preparing ${load.name}`);
    const measure = await load.prepare(stage);
    add(results, await measure());
  }
}

function add(results: Map<string, Run[]>, measured: Record<string, Run>): void {
  for (const [name, run] of Object.entries(measured)) {
    results.set(name, [...(results.get(name) ?? []), run]);
    if (Number.isFinite(run.rate)) progress(`${name}: ${Math.round(run.rate)} a second`);
  }
}

function print(plan: Plan, report: Report): void {
  console.log(plan.json ? JSON.stringify(report, null, 2) : `\n${formatReport(report)}`);
}

/** A slow machine is no failure; wrong books are. */
function exitCode(books: readonly BooksReport[]): number {
  return books.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

async function run(): Promise<number> {
  const plan = readPlan(process.argv.slice(2));
  if (plan === 'help') {
    console.log(USAGE);
    return 0;
  }
  if (plan === undefined) {
    console.error(USAGE);
    return 1;
  }
  cleanUpOnSignals();
  try {
    return await main(plan);
  } finally {
    await cleanUp();
  }
}

try {
  process.exitCode = await run();
} catch (error) {
  // What fails because it is being ended is no news.
  if (!isCleaningUp() || !(error instanceof Error)) console.error(error);
  else console.error(error.message);
  process.exitCode = 1;
}
