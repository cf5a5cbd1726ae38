import { constants } from 'node:os';
import { type Config, ConfigError } from './config.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type Database, openDatabase } from './platform/db/database.ts';
import { type EmbeddedPostgres, joinEmbeddedPostgres, startEmbeddedPostgres } from './platform/db/embedded/index.ts';
import { requirePooling } from './platform/db/pooler.ts';
import { createCommandLogger, createLogger, type Logger } from './platform/logger.ts';
import type { Member } from './platform/processes/member.ts';
import type { Peers } from './platform/processes/peers.ts';
import { createSecrets, loadOrCreateSecrets, type Secrets } from './platform/secrets.ts';

/** What every command stands on: a database, the secrets, the time, a log. */
export interface Runtime {
  connectionString: string;
  database: Database;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  /** Where a start could not find out whether a pooler before the database is right: asks again. */
  requirePooling?: (() => Promise<boolean>) | undefined;
  /** This process as one of several that run one command; undefined where it runs it alone. */
  member?: Member | undefined;
  /** The other ones. */
  peers?: Peers | undefined;
  /** Lets go of the database, and ends the embedded one if this process started it. */
  close(): Promise<void>;
}

/** What may use the embedded database of another process: a command, which ends soon, or a service, which stays. */
export type Beside = 'COMMAND' | 'SERVICE' | undefined;

interface RuntimeOptions {
  beside?: Beside;
  answersAtTerminal?: boolean;
  applicationName?: string;
  member?: Member | undefined;
}

/**
 * @param how.beside where it may use the embedded database of a service that runs beside it.
 * @param how.answersAtTerminal its log is not on standard output, where its answer is.
 * @param how.applicationName what its connections are called in the database.
 * @param how.member this process as one of several, on the database that their supervisor runs.
 */
export async function openRuntime(
  config: Config,
  { beside, answersAtTerminal = false, applicationName = 'manilla', member }: RuntimeOptions = {},
): Promise<Runtime> {
  const { logLevel } = config;
  const logger = answersAtTerminal ? createCommandLogger(logLevel) : createLogger(logLevel, member?.assignment.number);
  const secrets = readSecrets(config);
  const home = await openHome(config, logger, { beside, supervised: member?.assignment.connectionString });
  const { databaseUrl } = config;
  const requireRight = databaseUrl === undefined ? undefined : () => requirePooling(databaseUrl, applicationName);
  const isPoolingKnown = requireRight === undefined || (await requireRight());
  const database = openDatabase({
    connectionString: home.connectionString,
    maxConnections: config.databasePoolSize,
    logger,
    applicationName,
    ...(config.replica === undefined ? {} : { replica: config.replica }),
  });
  const peers = member?.connect(logger);
  return {
    ...(!isPoolingKnown && { requirePooling: requireRight }),
    connectionString: home.connectionString,
    database,
    secrets,
    clock: systemClock,
    logger,
    member,
    peers,
    async close() {
      await peers?.close();
      await database.close();
      await home.stop();
    },
  };
}

/** The database of processes that this one supervises, and the secrets: made here, where they are, before any looks for them. */
export async function openSupervisedHome(config: Config, logger: Logger, beside: Beside): Promise<Supervised> {
  readSecrets(config);
  const { connectionString, stop } = await openHome(config, logger, { beside });
  return { connectionString: config.databaseUrl === undefined ? connectionString : undefined, stop };
}

export interface Supervised {
  /** Undefined where the settings name the database. */
  connectionString: string | undefined;
  /** Ends the embedded database, if it was started here. */
  stop(): Promise<void>;
}

/** The operator's database, or the embedded one: that of the supervisor, that of a process beside us, or started here. */
async function openHome(
  config: Config,
  logger: Logger,
  { beside, supervised }: { beside: Beside; supervised?: string | undefined },
): Promise<{ connectionString: string; stop(): Promise<void> }> {
  const nothing = async () => undefined;
  const given = config.databaseUrl ?? supervised;
  if (given !== undefined) return { connectionString: given, stop: nothing };
  const { dataDir } = config;
  return endedBySignals((stopped) =>
    beside === undefined
      ? startEmbeddedPostgres({ dataDir, logger })
      : joinEmbeddedPostgres({ dataDir, logger, by: beside, stopped }),
  );
}

/** Of a supervisor, of Ctrl-C, and of a terminal that was closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * The server would outlive this process. Where nobody else answers a signal, in a command and before a service listens for
 * it, it is ended here, and this process with it; a second signal ends the process at once.
 */
async function endedBySignals(start: (stopped: AbortSignal) => Promise<EmbeddedPostgres>): Promise<EmbeddedPostgres> {
  const stopped = new AbortController();
  const starting = start(stopped.signal);
  let isEnding = false;
  const end = (signal: (typeof SIGNALS)[number]) => {
    if (process.listenerCount(signal) > 0) return;
    isEnding = true;
    stopped.abort();
    const exit = () => process.exit(128 + constants.signals[signal]);
    void starting.then((server) => server.stop()).then(exit, exit);
  };
  const forget = () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    const { connectionString, stop } = await starting;
    const stopOnce = async () => {
      // An error for want of a database that is being ended is no news: the process ends before it is reported.
      if (isEnding) await new Promise(() => undefined);
      forget();
      await stop();
    };
    return { connectionString, stop: stopOnce };
  } catch (error) {
    forget();
    throw error;
  }
}

function readSecrets(config: Config): Secrets {
  const { pinPepper, previousPinPeppers, keyEncryptionKey } = config;
  if (pinPepper !== undefined && keyEncryptionKey !== undefined) {
    return createSecrets(pinPepper, keyEncryptionKey, previousPinPeppers);
  }
  if (pinPepper !== undefined || keyEncryptionKey !== undefined || previousPinPeppers.length > 0) {
    throw new ConfigError(
      'PIN_PEPPER and KEY_ENCRYPTION_KEY belong together, and PIN_PEPPER_PREVIOUS to them: set both, or none.',
    );
  }
  return loadOrCreateSecrets(config.dataDir);
}
