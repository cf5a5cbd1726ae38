import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endedChildrenCpu, groupCpu, residentMb, serverCpu } from './cpu.ts';
import { runHttpLoad, type Target, writeTargets } from './http-load.ts';
import type { Plan } from './plan.ts';
import type { PostgresServer } from './postgres.ts';
import { measureCpu, type Run } from './run.ts';
import { type Payer, seedPayers } from './seed.ts';
import { type Service, startService } from './service.ts';

const MEMORY_SAMPLE_MS = 100;

/** A database with the service on it. */
export interface Home {
  name: string;
  databaseUrl: string;
  service: Service;
}

/** Debits that clients of one database were told of, and those that were cut off before their answer. */
export interface Tally {
  acknowledged: number;
  cutOff: number;
}

/** What all loads of a run share. Databases, services and merchants are made when a load first asks for them. */
export interface Stage {
  plan: Plan;
  folder: string;
  server: PostgresServer;
  tallies: Map<string, Tally>;
  /** @param env settings beside those of `npm start`; of the first who asks. */
  home(name: string, env?: Record<string, string>): Promise<Home>;
  payers(home: Home, merchants: number, stores: number): Promise<Payer[]>;
  /** The targets of a load as a file, written once. */
  targets(name: string, targets: readonly Target[]): string;
  stopServices(): Promise<void>;
}

export function createStage(plan: Plan, folder: string, server: PostgresServer): Stage {
  const homes = new Map<string, Promise<Home>>();
  const payers = new Map<string, Promise<Payer[]>>();
  return {
    plan,
    folder,
    server,
    tallies: new Map(),
    home(name, env) {
      return remember(homes, name, async () => {
        const databaseUrl = await server.database(name);
        const dataDir = join(folder, `${name}-service`);
        mkdirSync(dataDir);
        return { name, databaseUrl, service: await startService(databaseUrl, dataDir, env) };
      });
    },
    payers({ name, databaseUrl, service }, merchants, stores) {
      return remember(payers, `${name}/${merchants}/${stores}`, async () => {
        progress(`making ${merchants} merchants with ${stores} stores each in ${name}`);
        return seedPayers(databaseUrl, service.baseUrl, { merchants, stores });
      });
    },
    targets: (name, targets) => writeTargets(folder, name, targets),
    async stopServices() {
      for (const home of homes.values()) await (await home).service.stop();
    },
  };
}

function remember<T>(known: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(name) ?? make();
  known.set(name, found);
  return found;
}

export function tallyOf(stage: Stage, database: string): Tally {
  const tally = stage.tallies.get(database) ?? { acknowledged: 0, cutOff: 0 };
  stage.tallies.set(database, tally);
  return tally;
}

/**
 * One run of a load over HTTP against a service.
 * @param debits the database whose books it adds debits to, for the count at the end.
 * @throws Error when any request was refused or lost: a rate with failures in it is no rate.
 */
export async function runAgainst(
  stage: Stage,
  service: Service,
  load: { targetsFile: string; seconds: number; debits?: string },
): Promise<Run> {
  const { connections } = stage.plan;
  const postmasters = [stage.server.pid, ...(stage.server.others ?? [])];
  let resident = residentMb(service.pid);
  const watch = setInterval(() => (resident = Math.max(resident, residentMb(service.pid))), MEMORY_SAMPLE_MS);
  const counters = {
    serviceCpuUs: () => groupCpu(service.pid),
    databaseCpuUs: () => postmasters.reduce((sum, pid) => sum + serverCpu(pid), 0),
    generatorCpuUs: endedChildrenCpu,
  };
  const { result, cpu } = await measureCpu(
    counters,
    () => runHttpLoad({ baseUrl: service.baseUrl, connections, targetsFile: load.targetsFile, seconds: load.seconds }),
    ({ answered }) => answered,
  ).finally(() => clearInterval(watch));
  const { answered, refused, broken } = result;
  if (load.debits !== undefined) {
    const tally = tallyOf(stage, load.debits);
    tally.acknowledged += answered - refused;
    tally.cutOff += connections + broken;
  }
  if (refused + broken > 0) throw new Error(`of ${answered} requests ${refused} were refused and ${broken} were lost`);
  await sleep(stage.plan.settleMs);
  return { rate: answered / result.seconds, p50Ms: result.p50Ms, p99Ms: result.p99Ms, residentMb: resident, ...cpu };
}

/** To stderr, so that stdout is the result alone. */
export function progress(text: string): void {
  console.error(`  ${text}`);
}
