import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bringUpToDate } from '../src/bring-up-to-date.ts';
import { createLogger } from '../src/platform/logger.ts';
import { checkBooks } from './books.ts';
import type { Claim, Results } from './claims.ts';
import { onCleanUp } from './cleanup.ts';
import { groupCpu, serverCpu } from './cpu.ts';
import { debitTargets, readTargets, type Target } from './http-load.ts';
import { describeMachine } from './machine.ts';
import type { Plan } from './plan.ts';
import { makeWorkFolder, onServer, type PostgresServer, readSettings, SETTINGS } from './postgres.ts';
import { makeReport, type Report } from './report.ts';
import { measureCpu, medianOf, type Run } from './run.ts';
import { mapAtOnce, post } from './seed.ts';
import { createStage, type Home, progress, runAgainst, type Stage, tallyOf } from './stage.ts';

const HOW_TO_NAME_THEM = `Citus beside one server: the same debits on both by turns, on this machine.

  CITUS_URL=postgres://postgres@127.0.0.1:5500/postgres CITUS_WORKERS=127.0.0.1:5501,127.0.0.1:5502 \\
    PLAIN_URL=postgres://postgres@127.0.0.1:5503/postgres npm run bench -- --citus

CITUS_URL     a superuser at the coordinator; a database on each server comes and goes
CITUS_WORKERS the other servers, host:port each; without them the coordinator has the shards
CITUS_SHARDS  32 unless said
PLAIN_URL     a superuser of a server of the same version and settings, without Citus

docs/scale.md says how servers of Citus are set up.`;

/** What makes the one faster than the other without being Citus. */
const COMPARED = [...Object.keys(SETTINGS), 'autovacuum', 'autovacuum_naptime', 'jit'];

type Side = 'citus' | 'plain';

interface Addresses {
  citus: string;
  workers: readonly string[];
  shards: number;
  plain: string;
}

function readAddresses(): Addresses | undefined {
  const { CITUS_URL: citus, PLAIN_URL: plain, CITUS_WORKERS: workers = '', CITUS_SHARDS: shards = '32' } = process.env;
  if (citus === undefined || plain === undefined) return undefined;
  return { citus, plain, workers: workers.split(',').filter((worker) => worker !== ''), shards: Number(shards) };
}

/** Undefined where the servers are not named: then it has said how. */
export async function measureCitus(plan: Plan): Promise<Report | undefined> {
  const addresses = readAddresses();
  if (addresses === undefined) {
    console.error(`CITUS_URL or PLAIN_URL is missing.\n\n${HOW_TO_NAME_THEM}`);
    return undefined;
  }
  const loads = loadsOf(plan).filter(({ name }) => plan.only === undefined || plan.only === name);
  if (loads.length === 0) {
    const names = loadsOf(plan).map(({ name }) => name);
    console.error(`There is no load "${plan.only}" here. There are: ${names.join(', ')}.`);
    return undefined;
  }
  await requireSameSettings(addresses);
  const folder = makeWorkFolder();
  const servers = { citus: await citusServer(addresses), plain: await plainServer(addresses.plain) };
  const machine = describeMachine(servers.plain);
  const stages = { citus: createStage(plan, folder, servers.citus), plain: createStage(plan, folder, servers.plain) };
  const results = await measureLoads(plan, stages, loads);
  for (const stage of Object.values(stages)) await stage.stopServices();
  const books = [...(await checkBooks(stages.citus)), ...(await checkBooks(stages.plain))];
  const { rounds, runSeconds, warmUpSeconds, quick } = plan;
  return makeReport(
    { machine, measured: { rounds, runSeconds, warmUpSeconds, quick }, books },
    claimsOf(loads),
    results,
  );
}

const at = (address: string, server: string): string => {
  const other = new URL(address);
  other.host = server;
  return other.href;
};

const inDatabase = (address: string, name: string): string => {
  const other = new URL(address);
  other.pathname = name;
  return other.href;
};

async function requireSameSettings({ citus, workers, plain }: Addresses): Promise<void> {
  const wanted = await readSettings(plain, COMPARED);
  for (const address of [citus, ...workers.map((worker) => at(citus, worker))]) {
    const found = await readSettings(address, COMPARED);
    const other = [...COMPARED.filter((name) => found.settings[name] !== wanted.settings[name])];
    if (found.version !== wanted.version) other.push('version');
    if (other.length > 0) throw new Error(`${new URL(address).host} and the plain server differ: ${other.join(', ')}`);
  }
}

/** The postmaster's id is the first line of this file. */
const POSTMASTER = `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`;

async function postmasterOf(address: string): Promise<number> {
  const found = await onServer(address, POSTMASTER);
  return (found?.rows[0] as { pid: number } | undefined)?.pid ?? -1;
}

async function serverAt(address: string, database: PostgresServer['database']): Promise<PostgresServer> {
  const { hostname, port } = new URL(address);
  const pid = await postmasterOf(address);
  const shown = await readSettings(address, Object.keys(SETTINGS));
  return { kind: 'yours', tools: undefined, socketFolder: hostname, port: Number(port), pid, ...shown, database };
}

/** A database of the same name on each of the servers, gone at the end. */
function databaseOnEach(servers: readonly string[], prepare: (address: string) => Promise<void>) {
  const name = `manilla_bench_${randomBytes(4).toString('hex')}`;
  const [first = ''] = servers;
  let made: Promise<string> | undefined;
  const make = async () => {
    for (const server of servers) await onServer(server, `create database ${name}`);
    onCleanUp(async () => {
      for (const server of servers) await onServer(server, `drop database if exists ${name} with (force)`);
    });
    await prepare(inDatabase(first, name));
    return inDatabase(first, name);
  };
  return () => (made ??= make());
}

function plainServer(address: string): Promise<PostgresServer> {
  return serverAt(
    address,
    databaseOnEach([address], async () => undefined),
  );
}

async function citusServer({ citus, workers, shards }: Addresses): Promise<PostgresServer> {
  const servers = [citus, ...workers.map((worker) => at(citus, worker))];
  const prepare = async (address: string) => {
    for (const server of servers)
      await onServer(at(address, new URL(server).host), 'create extension if not exists citus');
    const name = new URL(address).pathname.slice(1);
    const { hostname, port } = new URL(citus);
    await onServer(
      address,
      `select citus_set_coordinator_host('${hostname}', ${port})`,
      `select citus_set_node_property('${hostname}', ${port}, 'shouldhaveshards', ${workers.length === 0})`,
      ...workers.map((worker) => `select citus_add_node('${worker.replace(':', `', `)})`),
      `alter database ${name} set citus.shard_count = ${shards}`,
    );
    await bringUpToDate({ connectionString: address, logger: createLogger('error') }, true);
  };
  const others = await Promise.all(servers.slice(1).map(postmasterOf));
  return { ...(await serverAt(citus, databaseOnEach(servers, prepare))), others };
}

interface DebitLoad {
  name: string;
  merchants: number;
  /** Of each merchant. */
  stores: number;
  /** Of the rate of one server. */
  target: number;
}

function loadsOf({ stores, citusMerchants }: Plan): DebitLoad[] {
  return [
    { name: 'hot', merchants: 1, stores, target: 0.8 },
    ...citusMerchants.map((merchants) => ({ name: `spread-${merchants}`, merchants, stores: 1, target: 0.5 })),
  ];
}

async function measureLoads(plan: Plan, stages: Record<Side, Stage>, loads: readonly DebitLoad[]): Promise<Results> {
  const results = new Map<string, Run[]>();
  const sides = Object.entries(stages) as [Side, Stage][];
  const homes = { citus: await stages.citus.home('citus'), plain: await stages.plain.home('plain') };
  const files = new Map<string, string>();
  for (const load of loads) {
    for (const [side, stage] of sides)
      files.set(`${side}-${load.name}`, await targetsOf(stage, homes[side], load, loads));
  }
  const run = ([side, stage]: [Side, Stage], { name }: DebitLoad, seconds: number) => {
    const targetsFile = files.get(`${side}-${name}`) ?? '';
    return runAgainst(stage, homes[side].service, { targetsFile, seconds, debits: homes[side].name });
  };
  for (const side of sides) {
    progress(`${side[0]}: without a request`);
    results.set(`${side[0]}-idle`, [await runIdle(side[1], homes[side[0]])]);
  }
  for (const load of loads) {
    for (const [side, stage] of sides) await debitOnce(stage, homes[side], files.get(`${side}-${load.name}`) ?? '');
    for (const side of sides) if (plan.warmUpSeconds > 0) await run(side, load, plan.warmUpSeconds);
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const side of sides) {
        const measured = await run(side, load, plan.runSeconds);
        const name = `${side[0]}-${load.name}`;
        results.set(name, [...(results.get(name) ?? []), measured]);
        progress(`${name}: ${Math.round(measured.rate)} a second, ${Math.round(costOf(measured))} µs`);
      }
    }
  }
  return results;
}

/** Spread loads share their merchants: the first ones of the widest. */
async function targetsOf(stage: Stage, home: Home, load: DebitLoad, loads: readonly DebitLoad[]): Promise<string> {
  const alike = loads.filter(({ stores }) => stores === load.stores);
  const payers = await stage.payers(home, Math.max(...alike.map(({ merchants }) => merchants)), load.stores);
  return stage.targets(`${home.name}-${load.name}`, debitTargets(payers.slice(0, load.merchants)));
}

/** What the service and its workers take without a request: the processor time of a second. */
async function runIdle({ plan, server }: Stage, { service }: Home): Promise<Run> {
  await sleep(plan.runSeconds * 1000);
  const postmasters = [server.pid, ...(server.others ?? [])];
  const counters = {
    serviceCpuUs: () => groupCpu(service.pid),
    databaseCpuUs: () => postmasters.reduce((sum, pid) => sum + serverCpu(pid), 0),
  };
  const { cpu } = await measureCpu(
    counters,
    () => sleep(plan.runSeconds * 1000),
    () => plan.runSeconds,
  );
  return { rate: Number.NaN, ...cpu };
}

const TOUCHED_AT_ONCE = 32;

/** Each store once: its first debit reads its merchant's key, PIN, wallet and shard, and is not what is measured. */
async function debitOnce(stage: Stage, { name, service }: Home, targetsFile: string): Promise<void> {
  const targets = readTargets(targetsFile);
  await mapAtOnce(
    targets.length,
    async (at) => {
      const { key = '', path, body = '{}' } = targets[at] as Target;
      await post(service.baseUrl, key, path, JSON.parse(body) as object);
    },
    TOUCHED_AT_ONCE,
  );
  tallyOf(stage, name).acknowledged += targets.length;
}

/** Processor time of a debit but for that of who asks. */
const costOf = ({ serviceCpuUs = Number.NaN, databaseCpuUs = Number.NaN }: Run) => serviceCpuUs + databaseCpuUs;

function claimsOf(loads: readonly DebitLoad[]): Claim[] {
  const [least, most] = [loads.find(({ stores }) => stores === 1), loads.findLast(({ stores }) => stores === 1)];
  const flat = least === undefined || most === undefined || least === most ? [] : [flatClaim(least, most)];
  return [IDLE, ...loads.flatMap((load) => [rateClaim(load), costClaim(load)]), ...flat];
}

const PARTS = { comparesWithPgbench: false } as const;

const IDLE: Claim = {
  ...PARTS,
  ...{ name: 'idle', loads: ['idle'], target: 'none; it is a part of the figures below' },
  sentence: 'a second without a request, processor time',
  judge: (results) => ({ ...judge(results, ['citus-idle', 'plain-idle'], 'cost', 0), ok: undefined }),
};

function rateClaim({ name, merchants, target }: DebitLoad): Claim {
  return {
    ...PARTS,
    ...{ name, loads: [name], target: `at least ${target} x one server` },
    sentence: `debits of ${merchants === 1 ? 'one merchant' : `${merchants.toLocaleString('en-GB')} merchants`}, a second`,
    judge: (results) => judge(results, [`citus-${name}`, `plain-${name}`], 'rate', target),
  };
}

function costClaim({ name, target }: DebitLoad): Claim {
  return {
    ...PARTS,
    ...{ name: `${name}-cost`, loads: [name], target: `at least ${target}: one server's by that of Citus` },
    sentence: 'the same, processor time of service and servers',
    judge: (results) => judge(results, [`citus-${name}`, `plain-${name}`], 'cost', target),
  };
}

function flatClaim(least: DebitLoad, most: DebitLoad): Claim {
  return {
    ...PARTS,
    ...{ name: 'flat', loads: [least.name, most.name], target: `at least 0.8: ${least.merchants} merchants' by that` },
    sentence: `processor time with ${most.merchants.toLocaleString('en-GB')} merchants, on Citus`,
    judge: (results) => judge(results, [`citus-${most.name}`, `citus-${least.name}`], 'cost', 0.8),
  };
}

/** More of a rate is better, and less of a cost. */
function judge(results: Results, [name, base]: [string, string], figure: 'rate' | 'cost', target: number) {
  const of = (run: string) => {
    const runs = results.get(run) ?? [];
    return figure === 'rate'
      ? medianOf(runs, 'rate')
      : medianOf(
          runs.map((one) => ({ ...one, rate: costOf(one) })),
          'rate',
        );
  };
  const [measured, against] = [of(name), of(base)];
  const ratio = figure === 'rate' ? measured / against : against / measured;
  const text = (value: number) => `${Math.round(value).toLocaleString('en-GB')}${figure === 'rate' ? '/s' : ' µs'}`;
  return { measured: text(measured), against: text(against), ratio, ok: ratio >= target };
}
