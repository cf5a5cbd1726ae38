import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { sentenceOf } from './command-failures.ts';
import type { Config } from './config.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { createProcessGroup, ProcessEndedError } from './platform/processes/group.ts';
import { openSupervisedHome } from './runtime.ts';
import {
  DRAIN_MS,
  findPort,
  type Parts,
  reportStart,
  reportStop,
  shutdownDelayMs,
  stopWithNpm,
} from './service-process.ts';

/** Beyond the time that each process has to stop: what then still runs is ended with its supervisor. */
const SPARE_MS = 5_000;

/**
 * Runs a command in several processes until a signal: starts them, one database with them where the settings name none, puts
 * another in the place of one that ends, and ends them in order. It serves nothing itself.
 * Where that cannot begin it says why, and ends this process.
 */
export async function supervise(config: Config, parts: Parts, count: number): Promise<void> {
  const allInOne = parts.api && parts.workers;
  const logger = createLogger(config.logLevel);
  // Before a database is made, and once more when it runs: the processes would share the port with who came meanwhile.
  await findPort(config, parts).catch(refuse);
  const home = await openSupervisedHome(config, logger, allInOne ? undefined : 'SERVICE').catch(refuse);
  const peersFolder = makePeersFolder(logger);
  const close = async () => {
    await home.stop();
    if (peersFolder !== undefined) rmSync(peersFolder, { recursive: true, force: true });
  };
  try {
    const port = await findPort(config, parts);
    const assignment = { port, connectionString: home.connectionString, peersFolder };
    const group = createProcessGroup({ count, assignment, oneFirst: allInOne, logger });
    const delayMs = shutdownDelayMs(config, parts);
    let stopping = false;
    const onTimeout = () => group.kill();
    const graceful = closeWithGrace({ delay: DRAIN_MS + delayMs + SPARE_MS, onTimeout }, async ({ err, signal }) => {
      stopping = true;
      const stop = async () => {
        await group.stop(signal);
        await close();
      };
      if (err === undefined) return reportStop(logger, signal, stop);
      logger.fatal({ err }, 'stopping after a defect');
      return stop();
    });
    stopWithNpm(() => graceful.close());
    const started = await group.start().catch(async (error: unknown) => {
      if (stopping) return undefined;
      await group.stop('SIGINT');
      throw error;
    });
    if (started === undefined) return;
    const { baseUrl, screen } = started;
    if (screen !== undefined) console.log(screen);
    else reportStart(logger, parts, baseUrl, count);
  } catch (error) {
    await close();
    return refuse(error);
  }
}

/** A process that ended has said why. */
function refuse(error: unknown): never {
  if (!(error instanceof ProcessEndedError)) console.error(sentenceOf(error) ?? error);
  process.exit(1);
}

/** For this user alone. Without it each process commits by itself, which costs more and is as right. */
function makePeersFolder(logger: Logger): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), 'manilla-'));
  } catch (error) {
    logger.warn({ err: error }, 'there is no folder for sockets: the processes commit each by itself');
    return undefined;
  }
}
