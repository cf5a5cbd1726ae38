import type { AddressInfo } from 'node:net';
import { type App, createApp } from './app.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { baseUrlOf, type Config } from './config.ts';
import { type DemoFile, isDemoUnfinished, noteDemoBegun, readDemoFile, seedDemo, writeDemoFile } from './demo/index.ts';
import { watchClock } from './platform/db/clock-watch.ts';
import { orListenError, sharedPort } from './platform/processes/port.ts';
import type { Runtime } from './runtime.ts';
import { DRAIN_MS, type Parts } from './service-process.ts';
import { createStartChecks } from './start-checks.ts';

/** How long answers have to reach their clients in a stop; what is left of `DRAIN_MS` is for the end of everything else. */
const ANSWERS_TAKEN_MS = DRAIN_MS - 5_000;

/** What a process of the service does. */
interface ServiceParts extends Parts {
  /** It also migrates, and fills an empty database where it is asked to. */
  prepares: boolean;
}

export interface Started {
  /** Where the API is, or the metrics of a process without it; undefined where that has no port. */
  baseUrl: string | undefined;
  /** What an empty database was filled with, now or by an earlier start. */
  demo: DemoFile | undefined;
}

export interface Service {
  /** @throws where it cannot start; close it then, too. */
  start(): Promise<Started>;
  /** Reports that it is not ready, and serves on: called before it is closed, for load balancers. */
  announceStop(): void;
  /** Answers what was taken in, and lets go of everything but the runtime. */
  close(): Promise<void>;
}

/** The service on a runtime that is open, and stays its caller's to close. */
export function createService(config: Config, runtime: Runtime, parts: ServiceParts): Service {
  let app: App | undefined;
  let endClockWatch = () => {};
  const checks = createStartChecks(runtime);
  const shared = runtime.member === undefined ? {} : sharedPort;
  return {
    async start() {
      await checks.beforeMigration();
      endClockWatch = watchClock(runtime);
      if (parts.prepares) await bringUpToDate(runtime);
      await checks.afterMigration();
      app = await createApp({ config, ...runtime });
      if (parts.workers) app.startWorkers();
      if (!parts.api) return { baseUrl: await listenForHealth(config, app, shared), demo: undefined };
      const demo = parts.prepares ? await prepareDemo(config, runtime, app) : undefined;
      // Written before anyone can connect, where the port is known: who sees the service up finds the file.
      demo?.write(baseUrlOf(config, config.port));
      await orListenError(config, app.server.listen({ port: config.port, host: config.host, ...shared }));
      const baseUrl = baseUrlOf(config, (app.server.server.address() as AddressInfo).port);
      return { baseUrl, demo: demo?.write(baseUrl) };
    },
    announceStop: () => app?.announceStop(),
    async close() {
      checks.end();
      endClockWatch();
      // A client that does not take its answer would have the stop cut short, with the database still running.
      const patience = setTimeout(() => app?.endConnections(), ANSWERS_TAKEN_MS);
      try {
        await app?.close();
      } finally {
        clearTimeout(patience);
      }
    },
  };
}

/** A `work` process takes no requests but those of the operator's monitoring, where a port is set for them. */
async function listenForHealth(config: Config, app: App, shared: typeof sharedPort): Promise<string | undefined> {
  if (config.workPort === undefined) return undefined;
  const address = { port: config.workPort, host: config.host };
  await orListenError(address, app.health.listen({ ...address, ...shared }));
  const { port } = app.health.server.address() as AddressInfo;
  return baseUrlOf({ ...config, publicUrl: undefined }, port);
}

/** Fills an empty database, or finds what an earlier start filled it with. */
async function prepareDemo(config: Config, runtime: Runtime, app: App) {
  if (!config.demoData) return undefined;
  await app.server.ready();
  const deps = { ...runtime, walletBank: config.walletBank };
  const progress = { unfinished: isDemoUnfinished(config.dataDir), begin: () => noteDemoBegun(config.dataDir) };
  const demo = (await seedDemo(deps, app.server, progress)) ?? readDemoFile(config.dataDir);
  if (demo === undefined) return undefined;
  return {
    write(baseUrl: string): DemoFile {
      const { baseUrl: _before, ...rest } = { baseUrl, ...demo };
      const file = { baseUrl, ...rest };
      writeDemoFile(config.dataDir, file);
      return file;
    },
  };
}
