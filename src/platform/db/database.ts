import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { unavailable } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { columnArrays, type SetStatement, type Statement, type Write } from './statement.ts';

export interface Queries {
  /** Runs a prepared statement and returns its rows. int8 arrives as bigint; `sum(bigint)` is numeric, hence text. */
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs a set-based statement once for all rows; none is no statement at all. */
  run(into: SetStatement<never>, rows: readonly Write['row'][]): Promise<void>;
}

/**
 * One database transaction. Statements may be sent without waiting for the one before: they are pipelined. Those still
 * under way when the work returns are committed with it, or fail it. A statement that failed fails the transaction, even
 * where the work caught its error; one that is sent after the work has ended is refused.
 */
export interface Tx extends Queries {
  readonly client: pg.PoolClient;
  /** BEGIN was answered. Whoever asked for `readsFirst` waits for it before the first write. */
  readonly begun: Promise<unknown>;
}

export interface TransactionOptions {
  /**
   * The work starts with statements that change nothing, and they ride with BEGIN: one round trip less. It must wait for
   * `begun` before it writes: had BEGIN failed, each write behind it would commit by itself.
   */
  readsFirst?: boolean;
}

export interface SnapshotOptions {
  /**
   * On one of the few connections that are kept for what reads for seconds: a file, a report. What moves money never waits
   * for them.
   */
  aside?: boolean;
}

/**
 * Its own `query` and `run` are for reads, and for writes that may be repeated: when the connection is lost, nobody knows
 * whether they took effect.
 */
export interface Database extends Queries {
  /**
   * Runs `work` in one READ COMMITTED transaction and commits. Retries on serialization failures, deadlocks and
   * connections lost before COMMIT was sent, so `work` must have no effect but its statements.
   * @throws CommitUnknownError when the connection was lost after COMMIT was sent: look before you repeat.
   * @throws AppError `SERVICE_UNAVAILABLE` when the database cannot be reached.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * All that `work` reads is of one moment, in however many statements: for figures that stand beside each other. Where
   * one statement can say it, that is a snapshot already and costs no transaction. `work` may run more than once.
   * @throws AppError `SERVICE_UNAVAILABLE` when the database cannot be reached.
   */
  snapshot<T>(work: (queries: Queries) => Promise<T>, options?: SnapshotOptions): Promise<T>;
  close(): Promise<void>;
  readonly pool: pg.Pool;
}

/** COMMIT was sent and no answer came: the transaction may or may not be in the books. */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super('The connection was lost while committing; the outcome must be looked up.', { cause });
    this.name = 'CommitUnknownError';
  }
}

const RETRYABLE_BEFORE_COMMIT = new Set(['40001', '40P01']);
/** Attempts of one transaction before its error is the caller's. */
const MAX_TRANSACTION_ATTEMPTS = 4;
/** Pause before the second attempt, in milliseconds; longer before each further one, and never the same twice. */
const CONFLICT_PAUSE_MS = 10;
const UNREACHABLE_PAUSE_MS = 100;
/** A pool that gives no connection within this is an overloaded or absent database. */
const CONNECTION_TIMEOUT_MS = 5_000;
/** No answer for this long: the network swallowed the connection. Far above the slowest statement of the house. */
const QUERY_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 60_000;
/** Connections beside the pool. They are opened when they are needed, and closed when they are idle. */
const ASIDE_CONNECTIONS = 2;
/** Spelled out, so that no default of the server or the role changes what a transaction means. */
const BEGIN = 'begin isolation level read committed read write';
const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only';

const INT8 = 20;
const INT8_ARRAY = 1016;
const TEXT_ARRAY: number = 1009;

/**
 * Every statement is prepared, and PostgreSQL keeps its plan. One that was made while a table was empty would read the
 * whole table for ever after: a minute of load on a fresh database read 36 million rows so. Every query of the service
 * finds its rows through an index, so that is the one plan that it may make, and it makes it once.
 */
const PLANNING = [
  '-c enable_seqscan=off',
  '-c enable_hashjoin=off',
  '-c enable_mergejoin=off',
  '-c plan_cache_mode=force_generic_plan',
].join(' ');

/** int8 as bigint, once, here: money is never a float on its way in. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: string) {
    if (oid === INT8 && format !== 'binary') return BigInt;
    if (oid === INT8_ARRAY && format !== 'binary') return bigints;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

function bigints(text: string): (bigint | null)[] {
  const parse = pg.types.getTypeParser(TEXT_ARRAY, 'text') as (text: string) => (string | null)[];
  return parse(text).map((item) => (item === null ? null : BigInt(item)));
}

export interface DatabaseOptions {
  connectionString: string;
  maxConnections: number;
  logger: Logger;
  applicationName?: string;
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options, options.maxConnections);
  let beside: pg.Pool | undefined;
  const aside = () => (beside ??= openPool(options, ASIDE_CONNECTIONS));
  let closing: Promise<void> | undefined;
  return {
    pool,
    query: (statement, values) => outside(() => queriesOn(pool).query(statement, values)),
    run: (into, rows) => outside(() => queriesOn(pool).run(into, rows)),
    transaction: (work, { readsFirst = false } = {}) => transact(pool, work, { begin: BEGIN, readsFirst }),
    snapshot: (work, options = {}) => transact(options.aside === true ? aside() : pool, work, SNAPSHOT),
    close: () => (closing ??= Promise.all([pool.end(), beside?.end()]).then(() => undefined)),
  };
}

function openPool(options: DatabaseOptions, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    application_name: options.applicationName ?? 'manilla',
    options: PLANNING,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    types,
    pipeline: true,
  });
  // A client that breaks between the pool's hands and ours has no other listener, and would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Without a handler an idle connection that drops would end the process.
  pool.on('error', (error) => options.logger.warn({ err: error }, 'idle database connection lost'));
  return pool;
}

function queriesOn(client: pg.Pool | pg.PoolClient): Queries {
  return {
    async query<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
      const result = await client.query({ name: statement.name, text: statement.text, values: [...values] });
      return result.rows as Row[];
    },
    async run(into, rows) {
      if (rows.length === 0) return;
      await client.query({ name: into.name, text: into.text, values: columnArrays(into, rows) });
    },
  };
}

async function outside<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw inWords(error);
  }
}

interface How {
  begin: typeof BEGIN | typeof BEGIN_SNAPSHOT;
  readsFirst: boolean;
}

/** It changes nothing, so its statements may ride with BEGIN. */
const SNAPSHOT: How = { begin: BEGIN_SNAPSHOT, readsFirst: true };

async function transact<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>, how: How): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(pool, work, how);
    } catch (error) {
      if (error instanceof CommitUnknownError) throw error;
      const pauseMs = retryPauseMs(error);
      if (pauseMs !== undefined && attempt < MAX_TRANSACTION_ATTEMPTS) {
        await sleep(pauseMs * attempt * (0.5 + Math.random()));
        continue;
      }
      throw inWords(error);
    }
  }
}

/** What is not a caller's doing, as the 503 that says so; anything else as it is. */
function inWords(error: unknown): unknown {
  if (isUnreachable(error)) return unavailable('The database cannot be reached. Please try again shortly.', error);
  // Class 53: its disk is full, or its memory. The statement did nothing, and the transaction is rolled back.
  if (sqlState(error)?.startsWith('53') === true)
    return unavailable('The database has no room for this at the moment. Please try again later.', error);
  return error;
}

/** How long to wait before the same transaction may work, or undefined when another attempt makes no sense. */
function retryPauseMs(error: unknown): number | undefined {
  if (RETRYABLE_BEFORE_COMMIT.has(sqlState(error) ?? '')) return CONFLICT_PAUSE_MS;
  // Who waited out a timeout has waited long enough, and an overloaded database gets no second helping.
  return isUnreachable(error) && !isTimeout(error) ? UNREACHABLE_PAUSE_MS : undefined;
}

async function attemptTransaction<T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  { begin, readsFirst }: How,
): Promise<T> {
  const client = await pool.connect();
  let lost: Error | undefined;
  const onError = (error: Error) => {
    lost ??= error;
  };
  client.on('error', onError);
  const sent = trackStatements(client);
  let commit: 'unsent' | 'sent' | 'answered' = 'unsent';
  try {
    const begun = client.query(begin);
    begun.catch(() => undefined);
    // Waited for: had it failed with writes behind it, each of those would have committed by itself.
    if (!readsFirst) await begun;
    const result = await work({ client, begun, ...sent.queries });
    await begun;
    sent.close();
    await sent.refusedHere();
    // COMMIT rides behind statements that are still under way: where one of them fails, PostgreSQL rolls back.
    commit = 'sent';
    const committed = await client.query('commit');
    commit = 'answered';
    // It answers COMMIT of an aborted transaction with the tag ROLLBACK and no error.
    if (committed.command !== 'COMMIT') throw new RolledBackError();
    release(client, onError, false);
    return result;
  } catch (error) {
    sent.close();
    await sent.settled();
    // A connection that still answers proves that a COMMIT which failed did not happen.
    const alive = !isUnreachable(error) && (await rollback(client)) && lost === undefined;
    release(client, onError, !alive || sent.confusedDriver());
    // What only read has no outcome to look up.
    if (commit === 'sent' && !alive && begin !== BEGIN_SNAPSHOT) throw new CommitUnknownError(error);
    throw isAftermath(error) ? (sent.firstFailure() ?? error) : error;
  }
}

class RolledBackError extends Error {
  constructor() {
    super('The database rolled the transaction back instead of committing it.');
    this.name = 'RolledBackError';
  }
}

/** Only says that something before it failed: `current transaction is aborted`, or COMMIT answered with ROLLBACK. */
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
   * True after a failure that was not the server's: the driver may have closed a prepared statement that it still counts
   * on, and would fail everyone who uses it on this connection.
   */
  confusedDriver(): boolean;
  /**
   * Throws the error of a statement that never reached the server, such as a value that cannot be bound: PostgreSQL does
   * not know of it and would commit without it.
   */
  refusedHere(): Promise<void>;
}

/** Remembers every statement sent, so that none fails unheard when the work does not wait for it. */
function trackStatements(client: pg.PoolClient): TrackedStatements {
  const queries = queriesOn(client);
  const sent: Promise<unknown>[] = [];
  const failures: unknown[] = [];
  let closed = false;
  const track = <T>(query: () => Promise<T>): Promise<T> => {
    if (closed) return Promise.reject(new Error('a statement was sent after its transaction had ended'));
    const promise = query();
    promise.catch((error: unknown) => failures.push(error));
    sent.push(promise);
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
    settled: () => Promise.allSettled(sent),
    firstFailure: () => failures[0],
    confusedDriver: () => failures.some((error) => !(error instanceof pg.DatabaseError)),
    async refusedHere() {
      // The driver reports such an error in the next tick at the latest; all that follows from it runs before the second.
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

/** The five-character SQLSTATE of a database error. */
export function sqlState(error: unknown): string | undefined {
  // Not any five characters: EPIPE and some codes of our own look the same.
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The name of the violated constraint, when the error is a unique violation. */
export function violatedUnique(error: unknown): string | undefined {
  return sqlState(error) === '23505' ? (error as { constraint?: string }).constraint : undefined;
}

/** The name of the violated constraint, when the error is a check violation. */
export function violatedCheck(error: unknown): string | undefined {
  return sqlState(error) === '23514' ? (error as { constraint?: string }).constraint : undefined;
}

/** True for connection failures and a server that is starting, stopping or full: nothing can be read or written now. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (state !== undefined) return state.startsWith('08') || state.startsWith('57P') || state === '53300';
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return syscall === 'connect';
  if (typeof code === 'string' && NETWORK_FAILURE.test(code)) return true;
  return DRIVER_FAILURE.test(error.message) || isTimeout(error);
}

/** True where a statement names a table or column that this database does not have: it is of another version. */
export function isNotMigrated(error: unknown): boolean {
  const state = error instanceof Error ? sqlState(error) : undefined;
  return state === '42P01' || state === '42703';
}

/** Of a connection that did not come about, or broke; without a free file descriptor there is none either. */
const NETWORK_FAILURE =
  /^(ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|ENOTFOUND$|EAI_AGAIN$|EADDRNOTAVAIL$|EMFILE$|ENFILE$)/;
const DRIVER_FAILURE =
  /Connection terminated|connection error and is not queryable|Client was closed|after calling end on the pool/;

function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error &&
    /timeout exceeded when trying to connect|connection timeout|timeout expired|Query read timeout/.test(error.message)
  );
}
