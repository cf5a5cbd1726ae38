import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  APPLICATION_NAME,
  BEGIN_SNAPSHOT,
  type DatabaseOptions,
  type Deadline,
  msOf,
  openPool,
  type Queries,
  queriesOn,
  readOneMoment,
} from './connections.ts';
import { isDistributed } from './engine.ts';
import { asUnavailable, isReadOnly, isTimeout, isUnreachable, sqlState } from './failures.ts';
import { followPrimary, NoPrimaryError, type Primary, ReadOnlyServerError } from './primary.ts';
import { openReplica, type Reader, type ReplicaReads } from './replica.ts';
import type { SetStatement, Statement, Write } from './statement.ts';

export {
  isAccessRefused,
  isLibraryMissing,
  isNotMigrated,
  isOutOfSpace,
  isRightMissing,
  isTimeout,
  isUnanswered,
  isUnreachable,
  isUnreadable,
  isValueFault,
  RightMissingError,
  sqlState,
  violatedCheck,
  violatedUnique,
} from './failures.ts';
export type { Queries, Reader };

/**
 * One database transaction. Statements may be sent without waiting for the one before: they are pipelined. Those still
 * under way when the work returns are committed with it, or fail it. A statement that failed fails the transaction,
 * even where the work caught its error; one that is sent after the work has ended is refused.
 */
export interface Tx extends Queries {
  readonly client: pg.PoolClient;
  /** BEGIN was answered. Work that was started with `readsFirst` waits for it before the first write. */
  readonly begun: Promise<unknown>;
}

interface TransactionOptions extends StatementOptions {
  /**
   * The work starts with statements that change nothing, and they are sent together with BEGIN: one round trip less. It
   * must wait for `begun` before it writes: had BEGIN failed, each write after it would commit by itself.
   */
  readsFirst?: boolean;
  /**
   * The server ends it, and its locks with it, where nothing more is sent for so long, in milliseconds; a minute unless given. So a
   * client that it does not hear any more holds up nobody for ever.
   */
  idleMs?: number;
}

interface StatementOptions {
  /**
   * Without an answer for this long, in milliseconds, the statement fails and its connection is closed. A function is asked for
   * each statement.
   */
  deadlineMs?: Deadline | undefined;
}

interface SnapshotOptions extends StatementOptions {
  /**
   * Uses one of the few connections that are kept for reads of several seconds: a file, a report. What moves money
   * never waits for them.
   */
  aside?: boolean;
}

/**
 * Its own `query` and `run` are for reads, and for writes that may be repeated: when the connection is lost, nobody
 * knows whether they took effect. After a deadlock they did not, and are sent again.
 */
export interface Database extends Reader {
  /** @see Queries.query @throws AppError `SERVICE_UNAVAILABLE` when the database cannot be reached. */
  query<Row>(statement: Statement<Row>, values?: readonly unknown[], options?: StatementOptions): Promise<Row[]>;
  /** @see Queries.run @throws AppError `SERVICE_UNAVAILABLE` when the database cannot be reached. */
  run(into: SetStatement<never>, rows: readonly Write['row'][], options?: StatementOptions): Promise<void>;
  /**
   * Runs `work` in one READ COMMITTED transaction and commits. Retries on serialization failures, deadlocks and
   * connections lost before COMMIT was sent, so `work` must have no effect but its statements.
   * @throws CommitUnknownError when the connection was lost after COMMIT was sent: look before you repeat.
   * @throws AppError `SERVICE_UNAVAILABLE` when the database cannot be reached.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Everything that `work` reads is of one moment, in any number of statements: for figures that are shown together.
   * Where one statement is enough, that is a snapshot already and costs no transaction. `work` may run more than once.
   * @throws AppError `SERVICE_UNAVAILABLE` when the database cannot be reached.
   */
  snapshot<T>(work: (queries: Queries) => Promise<T>, options?: SnapshotOptions): Promise<T>;
  /**
   * For reads that decide nothing: on the replica where there is one, with everything that was committed when they were
   * asked for, otherwise on the primary.
   */
  readonly reading: Reader;
  /** Which server answered those; undefined where there is no replica. */
  readonly replicaReads: Readonly<ReplicaReads> | undefined;
  /** Whether Citus distributes it: then what is written at once belongs to one merchant. Asked once. */
  isDistributed(): Promise<boolean>;
  close(): Promise<void>;
  readonly pool: pg.Pool;
}

/** COMMIT was sent and no answer came: the transaction may or may not be in the books. */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super('COMMIT had no answer: the connection was lost, or it took too long. The outcome must be looked up.', {
      cause,
    });
    this.name = 'CommitUnknownError';
  }
}

const RETRYABLE_BEFORE_COMMIT = new Set(['40001', '40P01']);
/** Attempts of one transaction before its caller gets the error. */
const MAX_TRANSACTION_ATTEMPTS = 4;
/** Pause before the second attempt, in milliseconds; longer before each further one, and random. */
const CONFLICT_PAUSE_MS = 10;
const UNREACHABLE_PAUSE_MS = 100;
/** Connections of a second pool. They are opened when they are needed, and closed when they are idle. */
const ASIDE_CONNECTIONS = 2;
/** Written out, so that no default of the server or the role changes what a transaction means. */
const BEGIN = 'begin isolation level read committed read write';
const END_IDLE = 'set local idle_in_transaction_session_timeout =';
/** No work of the service pauses for so long in a transaction. */
const IDLE_MS = 60_000;
export function openDatabase(options: DatabaseOptions): Database {
  const primary = followPrimary({
    ...options,
    applicationName: options.applicationName ?? APPLICATION_NAME,
    isBusy: () => [pool, asidePool].some((each) => each !== undefined && each.totalCount > each.idleCount),
  });
  const pool = openPool(options, primary, options.maxConnections);
  let asidePool: pg.Pool | undefined;
  const aside = () => (asidePool ??= openPool(options, primary, ASIDE_CONNECTIONS));
  let closing: Promise<void> | undefined;
  const onPrimary = { pool, primary };
  const reader: Pick<Database, keyof Reader> = {
    query: (statement, values, { deadlineMs } = {}) =>
      outside(primary, () => repeated(() => queriesOn(pool, deadlineMs).query(statement, values))),
    run: (into, rows, { deadlineMs } = {}) =>
      outside(primary, () => repeated(() => queriesOn(pool, deadlineMs).run(into, rows))),
    snapshot: (work, { aside: isAside = false, deadlineMs } = {}) =>
      transact(isAside ? { pool: aside(), primary } : onPrimary, work, { ...SNAPSHOT, deadlineMs }),
    readApart: (connections, work, prepare) =>
      outside(primary, () => readOneMoment(options, primary, { connections, prepare }, work)),
  };
  const replica = options.replica === undefined ? undefined : replicaOf(options, options.replica, reader);
  return {
    ...reader,
    pool,
    transaction: (work, { readsFirst = false, deadlineMs, idleMs = IDLE_MS } = {}) =>
      transact(onPrimary, work, { begin: BEGIN, readsFirst, deadlineMs, idleMs }),
    reading: replica ?? reader,
    replicaReads: replica?.reads,
    isDistributed: () => outside(primary, () => isDistributed(pool)),
    close: () =>
      (closing ??= Promise.all([pool.end(), asidePool?.end(), replica?.close(), primary.close()]).then(
        () => undefined,
      )),
  };
}

function replicaOf(options: DatabaseOptions, replica: NonNullable<DatabaseOptions['replica']>, primary: Reader) {
  return openReplica(
    {
      ...options,
      ...replica,
      snapshotOn: (client, work) => attemptTransaction(client, work, SNAPSHOT),
      // A standby ends a read that its log has overtaken as a conflict.
      isReplicasFault: (error) => isUnreachable(error) || RETRYABLE_BEFORE_COMMIT.has(sqlState(error) ?? ''),
    },
    primary,
  );
}

/** Waits while no server takes writes, and has the servers checked after a failure. */
async function outside<T>(primary: Primary, work: () => Promise<T>): Promise<T> {
  try {
    const waited = primary.usable();
    if (waited !== undefined) await waited;
    return await work();
  } catch (raised) {
    const error = isReadOnly(raised) ? new ReadOnlyServerError() : raised;
    if (isUnreachable(error)) primary.suspect();
    throw asUnavailable(error);
  }
}

/** Repeats a single statement that was rolled back for a conflict: like a transaction, it has done nothing. */
async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!RETRYABLE_BEFORE_COMMIT.has(sqlState(error) ?? '') || attempt === MAX_TRANSACTION_ATTEMPTS) throw error;
      await pauseAfter(attempt, CONFLICT_PAUSE_MS);
    }
  }
}

const pauseAfter = (attempt: number, pauseMs: number) => sleep(pauseMs * attempt * (0.5 + Math.random()));

interface How {
  begin: typeof BEGIN | typeof BEGIN_SNAPSHOT;
  readsFirst: boolean;
  deadlineMs: Deadline | undefined;
  idleMs?: number | undefined;
}

interface OnPrimary {
  pool: pg.Pool;
  primary: Primary;
}

/** It changes nothing, so its statements may be sent together with BEGIN. */
const SNAPSHOT: How = { begin: BEGIN_SNAPSHOT, readsFirst: true, deadlineMs: undefined };

async function transact<T>({ pool, primary }: OnPrimary, work: (tx: Tx) => Promise<T>, how: How): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const waited = primary.usable();
      if (waited !== undefined) await waited;
      return await attemptTransaction(await pool.connect(), work, how);
    } catch (error) {
      if (isUnreachable(error) || error instanceof CommitUnknownError) primary.suspect();
      if (error instanceof CommitUnknownError) throw error;
      const pauseMs = retryPauseMs(error);
      if (pauseMs !== undefined && attempt < MAX_TRANSACTION_ATTEMPTS) {
        await pauseAfter(attempt, pauseMs);
        continue;
      }
      throw asUnavailable(error);
    }
  }
}

/** How long to wait before the same transaction may succeed; undefined where another attempt makes no sense. */
function retryPauseMs(error: unknown): number | undefined {
  if (RETRYABLE_BEFORE_COMMIT.has(sqlState(error) ?? '')) return CONFLICT_PAUSE_MS;
  // A request that waited out a timeout has waited long enough, and an overloaded database should not get the work
  // twice.
  if (isTimeout(error) || error instanceof NoPrimaryError) return undefined;
  return isUnreachable(error) ? UNREACHABLE_PAUSE_MS : undefined;
}

/** Makes one attempt on a connection, which it releases. */
async function attemptTransaction<T>(
  client: pg.PoolClient,
  work: (tx: Tx) => Promise<T>,
  { begin, readsFirst, deadlineMs, idleMs }: How,
): Promise<T> {
  let lost: Error | undefined;
  const onError = (error: Error) => {
    lost ??= error;
  };
  client.on('error', onError);
  const sent = trackStatements(client, deadlineMs);
  // The driver's types do not have the deadline of a statement.
  const sendControl = (text: string) => client.query({ text, query_timeout: msOf(deadlineMs) } as pg.QueryConfig);
  let commit: 'unsent' | 'sent' | 'answered' = 'unsent';
  try {
    const begun = sendControl(idleMs === undefined ? begin : `${begin}; ${END_IDLE} ${idleMs}`);
    begun.catch(() => undefined);
    // Waited for: had it failed with writes after it, each of those would have committed by itself.
    if (!readsFirst) await begun;
    const result = await work({ client, begun, ...sent.queries });
    await begun;
    sent.close();
    await sent.refusedHere();
    // COMMIT is sent after statements that are still under way: where one of them fails, PostgreSQL rolls back.
    commit = 'sent';
    const committed = await sendControl('commit');
    commit = 'answered';
    // PostgreSQL answers COMMIT of an aborted transaction with the tag ROLLBACK and no error.
    if (committed.command !== 'COMMIT') throw new RolledBackError();
    release(client, onError, false);
    return result;
  } catch (error) {
    sent.close();
    await sent.settled();
    // A connection that still answers proves that a COMMIT which failed did not happen.
    const alive = !isUnreachable(error) && !isReadOnly(error) && (await rollback(client)) && lost === undefined;
    release(client, onError, !alive || sent.confusedDriver());
    // A transaction that only reads has no outcome to look up.
    if (commit === 'sent' && !alive && begin !== BEGIN_SNAPSHOT) throw new CommitUnknownError(error);
    // A transaction that may write is refused where the server is a standby, or no longer a primary.
    if (begin === BEGIN && isReadOnly(sent.firstFailure() ?? error)) throw new ReadOnlyServerError();
    throw isAftermath(error) ? (sent.firstFailure() ?? error) : error;
  }
}

class RolledBackError extends Error {
  constructor() {
    super('The database rolled the transaction back instead of committing it.');
    this.name = 'RolledBackError';
  }
}

/**
 * An error that only says that something before it failed: `current transaction is aborted`, or COMMIT answered with
 * ROLLBACK.
 */
function isAftermath(error: unknown): boolean {
  return error instanceof RolledBackError || sqlState(error) === '25P02';
}

async function rollback(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback');
    return true;
  } catch {
    return false;
  }
}

interface TrackedStatements {
  readonly queries: Queries;
  /** From now on statements are refused: on this connection they would run outside the transaction, or in another. */
  close(): void;
  settled(): Promise<unknown>;
  firstFailure(): unknown;
  /**
   * True after a failure that was not the server's: the driver may have closed a prepared statement that it still
   * counts on, which would fail every later use of it on this connection.
   */
  confusedDriver(): boolean;
  /**
   * Throws the error of a statement that never reached the server, such as a value that cannot be bound: PostgreSQL
   * does not know of it and would commit without it.
   */
  refusedHere(): Promise<void>;
}

/** Tracks every statement that was sent, so that none fails unnoticed when the work does not wait for it. */
function trackStatements(client: pg.PoolClient, deadlineMs: Deadline | undefined): TrackedStatements {
  const queries = queriesOn(client, deadlineMs);
  const underWay = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  let closed = false;
  const track = <T>(query: () => Promise<T>): Promise<T> => {
    if (closed) return Promise.reject(new Error('a statement was sent after its transaction had ended'));
    const promise = query();
    // Not kept after its answer: a file of a million rows is read in one transaction.
    const ended: Promise<unknown> = promise.then(
      () => underWay.delete(ended),
      (error: unknown) => {
        failures.push(error);
        underWay.delete(ended);
      },
    );
    underWay.add(ended);
    return promise;
  };
  return {
    queries: {
      query: (statement, values) => track(() => queries.query(statement, values)),
      run: (into, rows) => track(() => queries.run(into, rows)),
    },
    close() {
      closed = true;
    },
    settled: () => Promise.allSettled(underWay),
    // The error that only follows from another may arrive first: a COPY passes through less code than a statement.
    firstFailure: () => failures.find((error) => !isAftermath(error)) ?? failures[0],
    confusedDriver: () => failures.some((error) => !(error instanceof pg.DatabaseError)),
    async refusedHere() {
      // The driver reports such an error in the next tick at the latest; all that follows from it runs before the
      // second tick.
      await nextTick();
      await nextTick();
      if (failures.length > 0) throw failures[0];
    },
  };
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function release(client: pg.PoolClient, onError: (error: Error) => void, destroy: boolean): void {
  client.off('error', onError);
  client.release(destroy);
}
