import type { Config } from './config.ts';
import type { Logger } from './platform/logger.ts';
import type { Assignment } from './platform/processes/messages.ts';
import { requireFreePort } from './platform/processes/port.ts';

/** What a command of the service does, in one process or in several. */
export interface Parts {
  api: boolean;
  workers: boolean;
}

/** A stop that takes longer than this is cut short: what was not answered is in the books or it is not, never half. */
export const DRAIN_MS = 20_000;
/** Of `serve`, which stands behind a balancer: it is asked for its readiness a few times in so long. */
const BALANCED_DELAY_MS = 5_000;
const PARENT_CHECK_MS = 250;

/** Each process has its memory and its connections to the database, whose default takes 100. */
const MOST_SERVING = 8;
const MOST_OTHERS = 4;

/**
 * As many processes as the settings say, or else by the cores: one for each core for the API or the workers alone, and
 * half as many for both in one, which leaves room for the database and for other users of the machine.
 */
export function processesOf(config: Config, { api, workers }: Parts, cores: number): number {
  if (config.processes !== undefined) return config.processes;
  if (api && workers) return Math.max(1, Math.min(Math.floor(cores / 2), MOST_OTHERS));
  return Math.min(cores, api ? MOST_SERVING : MOST_OTHERS);
}

/** For so long it says that it is not ready, and serves. */
export function shutdownDelayMs(config: Config, parts: Parts): number {
  return config.shutdownDelayMs ?? (parts.workers ? 0 : BALANCED_DELAY_MS);
}

/**
 * The port that the settings name, or a free one for 0, while nobody listens there; undefined where none is asked for.
 * @throws ListenError
 */
export async function findPort({ port, workPort, host }: Config, { api }: Parts): Promise<number | undefined> {
  const wanted = api ? port : workPort;
  return wanted === undefined ? undefined : requireFreePort(wanted, host);
}

/** What one of several processes is set to. What is promised to others outside is shared out, not multiplied. */
export function configOfMember(config: Config, { port, of }: Assignment): Config {
  const ports = port === undefined ? {} : { port, ...(config.workPort !== undefined && { workPort: port }) };
  return { ...config, ...ports, railConcurrency: Math.max(1, Math.floor(config.railConcurrency / of)) };
}

/** The line of a start that people are shown no screen of. */
export function reportStart(logger: Logger, parts: Parts, baseUrl: string | undefined, processes = 1): void {
  const count = processes === 1 ? {} : { processes };
  if (parts.api) logger.info({ ...count, baseUrl }, 'API started');
  else logger.info({ ...count, ...(baseUrl !== undefined && { healthUrl: baseUrl }) }, 'workers started');
}

/**
 * Stops by `stop`, with a line of the log before and after it: a log that ends without the second one is of a process that
 * was killed. Who presses Ctrl-C at a terminal sees that it ended.
 */
export async function reportStop(logger: Logger, signal: string | undefined, stop: () => Promise<void>): Promise<void> {
  if (process.stdout.isTTY) return stop();
  const begun = performance.now();
  logger.info({ signal }, 'stopping');
  await stop();
  logger.info({ ms: Math.round(performance.now() - begun) }, 'stopped');
}

/**
 * npm hands a SIGTERM to the shell between it and us, and dash dies of it without passing it on. So a service that npm
 * started stops, with all its manners, when that shell is gone.
 */
export function stopWithNpm(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    stop();
  }, PARENT_CHECK_MS);
  watch.unref();
}
