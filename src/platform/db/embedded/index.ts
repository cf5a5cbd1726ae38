import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../logger.ts';
import { unsafeSettings } from '../durability.ts';
import { isSuperuser } from '../role.ts';
import { removeOtherServers } from './binaries.ts';
import { type Cluster, findCluster, openCluster } from './cluster.ts';
import { DatabaseTakenError, EmbeddedPostgresError } from './errors.ts';
import {
  ensurePostmaster,
  isAlive,
  livePostmaster,
  type Postmaster,
  socketFolder,
  stopPostmaster,
} from './postmaster.ts';
import { DATABASE_NAME, demoteServiceRole, SERVICE_ROLE } from './roles.ts';
import { keepServerLogShort } from './server-log.ts';

export { EmbeddedPostgresError } from './errors.ts';

/**
 * One process supervises a cluster: it holds this session-level lock, which the server releases when that process dies.
 */
const SUPERVISOR_LOCK = 0x6d616e69;
/** The lock of a killed supervisor is released within this time. */
const LOCK_WAIT_MS = 2_000;
const RESTART_PAUSE_MS = 1_000;
/** Worth an alarm. */
const DOWN = 'the embedded database is down; starting it again';
/** A supervisor that is being killed is gone by the second look, with its session. */
const SECOND_LOOK_MS = 100;
/** How often is checked whether a command has ended. */
const COMMAND_PAUSE_MS = 250;

/** The name of the supervisor's session. A command ends its server soon, so a service must not use that server. */
const SUPERVISOR = { SERVICE: 'manilla supervisor', COMMAND: 'manilla command supervisor' } as const;

export interface EmbeddedPostgres {
  readonly connectionString: string;
  /** Ends the server; drain and close the pools first. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** DATA_DIR: the cluster is in `pg` below it. Made when missing. */
  dataDir: string;
  logger: Logger;
  /** What runs it: a command ends soon, and its server with it. */
  by?: keyof typeof SUPERVISOR;
  /** Ends the wait for a command that runs it. A start that is under way is not cut short: its server is stopped. */
  stopped?: AbortSignal;
}

/**
 * A durable PostgreSQL of our own in `dataDir`: made at the first start, adopted where it outlived a crash of this
 * service, and started again where it dies. The connection string stays the same until `stop`.
 * @throws EmbeddedPostgresError with a sentence for the operator: another process has it, another PostgreSQL major made
 * it, no server comes with this platform, or it would not be durable.
 */
export async function startEmbeddedPostgres({
  dataDir,
  logger,
  by = 'SERVICE',
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = openCluster(dataDir, logger);
  let stopping = false;
  let session: pg.Client;

  const superviseAgain = async () => {
    // Where the first attempt succeeds, too: people look why it ended. One that lives has only cut this session.
    if (livePostmaster(cluster.data) === undefined) logger.error(DOWN);
    while (!stopping) {
      try {
        session = (await supervise(cluster, { logger, by, onLost })).session;
        if (stopping) await session.end();
        else logger.warn('the embedded database is back');
        return;
      } catch (error) {
        logger.error({ err: error }, DOWN);
        await sleep(RESTART_PAUSE_MS);
      }
    }
  };
  let recovering: Promise<void> = Promise.resolve();
  const onLost = () => {
    if (!stopping) recovering = superviseAgain();
  };

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping = true;
    endLogTurns();
    await recovering;
    await session.end().catch(() => undefined);
    await stopPostmaster(cluster, logger);
  };

  const first = await supervise(cluster, { logger, by, onLost });
  session = first.session;
  const endLogTurns = keepServerLogShort(cluster.home, logger);
  if (!first.adopted) removeOtherServers(cluster.binaries);
  logger.info(
    { pid: first.postmaster.pid, port: first.postmaster.port, adopted: first.adopted },
    'embedded database ready',
  );
  return {
    connectionString: address(cluster, first.postmaster, DATABASE_NAME),
    stop: () => (stopped ??= stop()),
  };
}

/**
 * The address of the embedded database that another process of ours runs in `dataDir`, for a command beside it
 * (`verify`, `migrate`). Undefined when none is running.
 */
export function findRunningEmbeddedPostgres(dataDir: string): string | undefined {
  const cluster = findCluster(dataDir);
  const postmaster = cluster === undefined ? undefined : livePostmaster(cluster.data);
  if (cluster === undefined || postmaster?.status !== 'ready') return undefined;
  return address(cluster, postmaster, DATABASE_NAME);
}

/**
 * For a service beside others in `dataDir`: the server that another service runs, or its own where none does, such as where
 * that one was killed. One that a command runs ends with that command, which is waited for. For a command: whichever runs, or
 * its own.
 * @throws EmbeddedPostgresError as `startEmbeddedPostgres`; the reason of `stopped`
 */
export async function joinEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const waiting = options.stopped === undefined ? {} : { signal: options.stopped };
  for (let isSaid = false; ; await sleep(COMMAND_PAUSE_MS, undefined, waiting)) {
    const running = findRunningEmbeddedPostgres(options.dataDir);
    const isAny = options.by === 'COMMAND';
    const by = running === undefined || isAny ? undefined : await keeperOf(running);
    if (running !== undefined && (by === 'SERVICE' || isAny)) {
      return { connectionString: running, stop: async () => undefined };
    }
    if (by === undefined) {
      const started = await startUnlessTaken(options);
      if (started !== undefined) return started;
    } else if (!isSaid) {
      options.logger.info('waiting for a command that runs the embedded database');
      isSaid = true;
    }
  }
}

/** Undefined where another start at the same moment was faster. */
async function startUnlessTaken(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres | undefined> {
  try {
    return await startEmbeddedPostgres(options);
  } catch (error) {
    if (error instanceof DatabaseTakenError) return undefined;
    throw error;
  }
}

/**
 * What runs a server; undefined where that was killed. A server that does not answer is ending as one of a command does, and
 * looked at again.
 */
async function keeperOf(connectionString: string): Promise<keyof typeof SUPERVISOR | undefined> {
  const session = new pg.Client({ connectionString });
  session.on('error', () => undefined);
  try {
    await session.connect();
    const by = await findKeeper(session);
    if (by !== 'SERVICE') return by;
    await sleep(SECOND_LOOK_MS);
    return await findKeeper(session);
  } catch {
    return 'COMMAND';
  } finally {
    await session.end().catch(() => undefined);
  }
}

/** The server notices a moment after its supervisor was killed: until then the session of a dead process has the lock. */
async function findKeeper(session: pg.Client): Promise<keyof typeof SUPERVISOR | undefined> {
  const name = await findSupervisor(session);
  if (name === undefined || !isAlive(pidIn(name))) return undefined;
  return name.startsWith(SUPERVISOR.COMMAND) ? 'COMMAND' : 'SERVICE';
}

const pidIn = (name: string): number => Number(/\d+$/.exec(name)?.[0]);

/** The name of the session that holds the supervisor's lock; undefined where the supervisor was killed. */
async function findSupervisor(session: pg.Client): Promise<string | undefined> {
  const { rows } = await session.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1::bigint::oid`,
    [SUPERVISOR_LOCK],
  );
  return rows[0]?.application_name;
}

/**
 * Through the Unix socket where there is one: faster, and nothing on the network. The host in the address is for
 * parsers.
 */
function address(cluster: Pick<Cluster, 'sockets' | 'password'>, postmaster: Postmaster, database: string): string {
  const url = new URL(`postgres://127.0.0.1:${postmaster.port}/${database}`);
  url.username = SERVICE_ROLE;
  url.password = cluster.password;
  const folder = socketFolder(cluster);
  if (folder !== undefined) url.searchParams.set('host', folder);
  return url.href;
}

interface Supervised {
  postmaster: Postmaster;
  adopted: boolean;
  /** Holds the lock for as long as this process lives. */
  session: pg.Client;
}

interface Supervising extends Required<Pick<EmbeddedPostgresOptions, 'logger' | 'by'>> {
  onLost: () => void;
}

async function supervise(cluster: Cluster, supervising: Supervising): Promise<Supervised> {
  const { logger, by, onLost } = supervising;
  const { postmaster, adopted } = await ensurePostmaster(cluster, logger);
  const session = new pg.Client({
    connectionString: address(cluster, postmaster, 'postgres'),
    application_name: `${SUPERVISOR[by]} ${process.pid}`,
  });
  let held = false;
  session.on('error', (error) => logger.warn({ err: error }, 'lost the connection to the embedded database'));
  try {
    await connectAsService(session, cluster);
    await takeLock(session, cluster);
    await requireDurable(session, cluster, adopted, logger);
    if (await isSuperuser(session)) {
      await createDatabase(session);
      await session.end();
      await demote(cluster, logger);
      return await supervise(cluster, supervising);
    }
    held = true;
  } finally {
    if (!held) await session.end().catch(() => undefined);
  }
  session.once('end', onLost);
  return { postmaster, adopted, session };
}

/**
 * For a cluster of a release whose service was the superuser: the caller stops its server, changes it and starts it
 * again.
 */
async function demote(cluster: Cluster, logger: Logger): Promise<void> {
  await stopPostmaster(cluster, logger);
  demoteServiceRole(cluster, cluster.password);
  logger.info('the service is no longer the superuser of the embedded database');
}

/** Our password is accepted and the server works in our folder: it is our server, and no other one on that port. */
async function connectAsService(session: pg.Client, cluster: Cluster): Promise<void> {
  try {
    await session.connect();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL in ${cluster.home} refuses the connection: ${(error as Error).message}`,
      error,
    );
  }
  const { rows } = await session.query<{ data_directory: string }>(
    `select current_setting('data_directory') as data_directory`,
  );
  if (rows[0]?.data_directory !== cluster.data) {
    throw new EmbeddedPostgresError(`Another PostgreSQL (${rows[0]?.data_directory}) answers for ${cluster.data}.`);
  }
}

async function takeLock(session: pg.Client, cluster: Cluster): Promise<void> {
  for (const deadline = Date.now() + LOCK_WAIT_MS; ; await sleep(100)) {
    const { rows } = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      SUPERVISOR_LOCK,
    ]);
    if (rows[0]?.taken === true) return;
    if (Date.now() > deadline) break;
  }
  const pid = /\d+$/.exec((await findSupervisor(session)) ?? '')?.[0] ?? 'unknown';
  throw new DatabaseTakenError(
    `Another process (${pid}) already runs the database in ${cluster.home}. Stop it, or choose another DATA_DIR.`,
  );
}

async function requireDurable(session: pg.Client, cluster: Cluster, adopted: boolean, logger: Logger): Promise<void> {
  const unsafe = await unsafeSettings(session);
  if (unsafe.length === 0) return;
  if (!adopted) await stopPostmaster(cluster, logger);
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL would lose money in a power cut: ${unsafe.join(', ')}. Remove it from ` +
      `${cluster.data}/postgresql.conf and postgresql.auto.conf.`,
  );
}

async function createDatabase(session: pg.Client): Promise<void> {
  const { rowCount } = await session.query('select from pg_database where datname = $1', [DATABASE_NAME]);
  if (rowCount === 0) await session.query(`create database ${DATABASE_NAME}`);
}
