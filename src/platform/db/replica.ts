import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  type Connecting,
  type DatabaseOptions,
  openPool,
  type Queries,
  queriesOn,
  readOneMoment,
} from './connections.ts';
import { withPlanning } from './planning.ts';
import { statement } from './statement.ts';

/** Reads that decide nothing: lists, statements, files, figures, the proof. */
export interface Reader extends Queries {
  /** @see Database.snapshot */
  snapshot<T>(work: (queries: Queries) => Promise<T>, options?: { aside?: boolean }): Promise<T>;
  /**
   * Runs `work` as of one moment, read-only and for any time, on so many connections of its own that nobody else waits
   * for: all of them see the same. They plan as PostgreSQL does by default, and nothing is repeated.
   * @param prepare statements that each connection gets before it reads, such as tables of its own; then the primary always reads. See
   *   `readOneMoment` for Citus
   * @throws AppError `SERVICE_UNAVAILABLE` when the database cannot be reached.
   */
  readApart<T>(connections: number, work: (each: readonly Queries[]) => Promise<T>, prepare?: string): Promise<T>;
}

/**
 * Reads so far, by the server that answered: the replica, or the primary because the replica was behind or could not be
 * reached.
 */
export interface ReplicaReads {
  replica: number;
  behind: number;
  away: number;
}

export interface ReplicaOptions extends DatabaseOptions {
  /** How long a read waits for the replica to reach the primary's position, in milliseconds. */
  waitMs: number;
  /** Reads what is of one moment on a connection, and releases it. */
  snapshotOn<T>(client: pg.PoolClient, work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Whether the same read may succeed on the primary. */
  isReplicasFault(error: unknown): boolean;
}

export interface Replica extends Reader {
  readonly reads: Readonly<ReplicaReads>;
  close(): Promise<void>;
}

/** Without an answer within this time, the primary is asked. */
const ANSWERS_WITHIN_MS = 1_000;
/** After a failure of the replica, no read waits for it for so long. */
const LEFT_ALONE_MS = 1_000;
const LOOK_EVERY_MS = 10;
/** Connections for reads of several seconds. */
const ASIDE_CONNECTIONS = 2;

interface Position {
  lsn: string;
  timeline: number;
  system: string;
}

/** Everything that is committed when this is asked is before this position. */
const readPosition = statement<Position>(
  'read-wal-position',
  `select here.lsn::text, ('x' || substr(pg_walfile_name(here.lsn), 1, 8))::bit(32)::int as timeline,
          coalesce((select system_identifier::text from pg_control_system()), '') as system
     from (select pg_current_wal_flush_lsn() as lsn) here`,
);

interface Progress {
  is_replica: boolean;
  is_there: boolean;
}

/**
 * The position of a replica. A server of another cluster is no replica, nor one that a failover left on a timeline of
 * its own.
 */
const readProgress = statement<Progress>(
  'read-replica-progress',
  `select coalesce(pg_is_in_recovery() and (select system_identifier::text from pg_control_system()) = $3
                     and (select timeline_id from pg_control_checkpoint()) = $2::integer, false) as is_replica,
          coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as is_there`,
);

interface Patience {
  /** For how long to wait now, in milliseconds. */
  waitMs(): number;
  /** The replica was not there after so long. */
  wasBehind(waitedMs: number): void;
}

/**
 * After one read waited for the replica in vain, not every read waits: for a second they only check whether it is
 * there.
 */
export function createPatience(waitMs: number, now: () => number = () => performance.now()): Patience {
  let notBefore = 0;
  return {
    waitMs: () => (now() < notBefore ? 0 : waitMs),
    wasBehind(waitedMs) {
      // A check without waiting does not say whether waiting would help.
      if (waitedMs > 0) notBefore = now() + LEFT_ALONE_MS;
    },
  };
}

/**
 * A read replica. A read on it sees everything that was committed when the read was asked for. The primary says how far
 * its log is, with one question for all reads of that moment. The read then waits up to `waitMs` for the replica; for a
 * second after it waited in vain, reads do not wait. Where it is further behind, cannot be reached, is no replica of
 * this primary or ends the read itself, the primary reads.
 */
export function openReplica(given: ReplicaOptions, primary: Reader): Replica {
  const options = { ...given, connectionString: withPlanning(given.connectionString) };
  const connecting: Connecting = { Client: pg.Client, timeoutMs: ANSWERS_WITHIN_MS };
  const pool = openPool(options, connecting, options.maxConnections);
  const asidePool = openPool(options, connecting, ASIDE_CONNECTIONS);
  const position = oneForAll(() => primary.query(readPosition).then(([row]) => row as Position));
  const reads: ReplicaReads = { replica: 0, behind: 0, away: 0 };
  const patience = createPatience(options.waitMs);
  let leftAloneUntil = 0;
  let isAway = false;

  const leaveAlone = (error: unknown) => {
    leftAloneUntil = performance.now() + LEFT_ALONE_MS;
    if (!isAway) options.logger.warn({ err: error }, 'the read replica cannot be used: the primary reads');
    isAway = true;
  };

  /** A connection to a replica that has reached the primary's position, or none. */
  const connect = async (from: pg.Pool): Promise<pg.PoolClient | undefined> => {
    if (performance.now() < leftAloneUntil) return none('away');
    const asked = position();
    // Not waited for where there is no connection.
    asked.catch(() => undefined);
    let client: pg.PoolClient | undefined;
    try {
      client = await from.connect();
      if (await isThere(client, await asked, patience)) return client;
      client.release();
      return none('behind');
    } catch (error) {
      client?.release(true);
      leaveAlone(error);
      return none('away');
    }
  };

  const none = (why: 'behind' | 'away') => {
    reads[why] += 1;
    return undefined;
  };

  /** @param onReplica releases the connection */
  const readOn = async <T>(
    from: pg.Pool,
    onReplica: (client: pg.PoolClient) => Promise<T>,
    onPrimary: () => Promise<T>,
  ): Promise<T> => {
    const client = await connect(from);
    if (client === undefined) return onPrimary();
    try {
      const found = await onReplica(client);
      reads.replica += 1;
      if (isAway) options.logger.info('the read replica is used again');
      isAway = false;
      return found;
    } catch (error) {
      if (!options.isReplicasFault(error)) throw error;
      leaveAlone(error);
      none('away');
      return onPrimary();
    }
  };

  return {
    reads,
    query: (asked, values) =>
      readOn(
        pool,
        (client) => releasing(client, () => queriesOn(client).query(asked, values)),
        () => primary.query(asked, values),
      ),
    run: (into, rows) => primary.run(into, rows),
    snapshot: (work, how = {}) =>
      readOn(
        how.aside === true ? asidePool : pool,
        (client) => options.snapshotOn(client, work),
        () => primary.snapshot(work, how),
      ),
    readApart: (connections, work, prepare) =>
      // A standby cannot have tables of one connection, nor of one transaction.
      prepare !== undefined
        ? primary.readApart(connections, work, prepare)
        : readOn(
            asidePool,
            (client) => releasing(client, () => readOneMoment(options, connecting, { connections }, work)),
            () => primary.readApart(connections, work),
          ),
    close: () => Promise.all([pool.end(), asidePool.end()]).then(() => undefined),
  };
}

/**
 * Waits until the replica of this connection has reached the primary's position.
 * @throws where it is no replica of that primary
 */
async function isThere(client: pg.PoolClient, primary: Position, patience: Patience): Promise<boolean> {
  const waitMs = patience.waitMs();
  const until = performance.now() + waitMs;
  const { lsn, timeline, system } = primary;
  for (;;) {
    const [progress] = await queriesOn(client, ANSWERS_WITHIN_MS).query(readProgress, [lsn, timeline, system]);
    if (progress?.is_replica !== true) throw new Error('READ_DATABASE_URL is not a replica of the primary');
    if (progress.is_there) return true;
    if (performance.now() >= until) {
      patience.wasBehind(waitMs);
      return false;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

async function releasing<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  let broken = true;
  try {
    const found = await work();
    broken = false;
    return found;
  } finally {
    client.release(broken);
  }
}

/** One question for all callers that come before it is sent; a later caller needs a later answer. */
function oneForAll<T>(ask: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined;
  return () => {
    next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      next = undefined;
      return ask();
    });
    return next;
  };
}
