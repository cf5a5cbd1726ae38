import pg from 'pg';
import type { Logger } from '../logger.ts';
import { copyOf, runCopy } from './copy.ts';
import { isDistributed, isPooled } from './engine.ts';
import { connectionOptions, END_WITH_CLIENT, PLAN_AS_DISTRIBUTED, PLAN_FREELY } from './planning.ts';
import { hasNoRoom, KEEP_ALIVE_MS } from './primary.ts';
import { columnArrays, type SetStatement, type Statement, type Write } from './statement.ts';

const INT8 = 20;
const INT8_ARRAY = 1016;
const TEXT_ARRAY: number = 1009;
const TIMESTAMPTZ: number = 1184;
const DATE = 1082;

/**
 * int8 as bigint, decided once, here: money is never a float on its way in. A date has no time of day and no zone: it
 * stays text.
 */
const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: string) {
    if (oid === INT8 && format !== 'binary') return BigInt;
    if (oid === INT8_ARRAY && format !== 'binary') return bigints;
    if (oid === DATE && format !== 'binary') return String;
    if (oid === TIMESTAMPTZ && format !== 'binary') return writableTime;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

function bigints(text: string): (bigint | null)[] {
  const parse = pg.types.getTypeParser(TEXT_ARRAY, 'text') as (text: string) => (string | null)[];
  return parse(text).map((item) => (item === null ? null : BigInt(item)));
}

const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

const HYPHEN = 0x2d;
const POINT = 0x2e;

/**
 * Reads a time as PostgreSQL writes it on a connection in UTC, `2026-11-25 19:13:00.123+00`, by its positions, which
 * takes a tenth of the time. Undefined where it is written otherwise.
 */
function usualTime(text: string): Date | undefined {
  const end = text.length - 3;
  if (!text.endsWith('+00') || end < 19 || end > 23 || text.charCodeAt(4) !== HYPHEN) return undefined;
  const digit = (at: number) => text.charCodeAt(at) - 0x30;
  const two = (at: number) => digit(at) * 10 + digit(at + 1);
  const year = two(0) * 100 + two(2);
  // JavaScript takes years below 100 for those of the 20th century.
  if (year < 100 || (end > 19 && text.charCodeAt(19) !== POINT)) return undefined;
  let ms = 0;
  for (let at = 20; at < 23; at += 1) ms = ms * 10 + (at < end ? digit(at) : 0);
  return new Date(Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17), ms));
}

/**
 * A time with a year of four digits: PostgreSQL has others, and does not read them as JavaScript writes them. A row
 * with such a time must still be readable and writable.
 */
function writableTime(text: string): Date {
  const usual = usualTime(text);
  if (usual !== undefined) return usual;
  // Infinity is returned as a number.
  const parse = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => Date | number;
  return new Date(Math.min(Math.max(Number(parse(text)), FIRST_TIME), LAST_TIME));
}

export interface Queries {
  /** Runs a prepared statement and returns its rows. int8 arrives as bigint; `sum(bigint)` is numeric, hence text. */
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs a set-based statement once for all rows; without rows, nothing is sent. */
  run(into: SetStatement<never>, rows: readonly Write['row'][]): Promise<void>;
}

export interface DatabaseOptions {
  connectionString: string;
  maxConnections: number;
  logger: Logger;
  applicationName?: string;
  replica?: {
    connectionString: string;
    /** How long a read waits for the replica to reach the primary's position, in milliseconds. */
    waitMs: number;
  };
}

/** Where a pool has no connection within this time, the database is overloaded or absent. */
const CONNECTION_TIMEOUT_MS = 5_000;
/** No answer for this long: the connection is lost in the network. Far above the slowest statement of the service. */
const QUERY_TIMEOUT_MS = 60_000;
export const IDLE_TIMEOUT_MS = 60_000;
/** Written out, so that no default of the server or the role changes what a transaction means. */
export const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only';
/** The same where tables of this transaction are made first: then it is made read only. */
const BEGIN_PREPARED = 'begin isolation level repeatable read read write';
const FOR_ANY_TIME = [
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
  ...PLAN_FREELY,
];
/** So that on Citus it is one connection at each server, which sees the tables that are made in it, and one moment. */
const ONE_CONNECTION_TO_EACH = [
  'set local citus.max_adaptive_executor_pool_size = 1',
  `set local citus.multi_shard_modify_mode = 'sequential'`,
];
export const APPLICATION_NAME = 'manilla';

/** How connections are opened. */
export interface Connecting {
  Client: new (config?: pg.ClientConfig) => pg.Client;
  /** Checks a new connection. @throws where it must not be used */
  require?(client: pg.ClientBase): Promise<void>;
  /** How long opening one may take, in milliseconds; `CONNECTION_TIMEOUT_MS` where left out. */
  timeoutMs?: number;
}

/** A server that had no room gets no request for another connection for so long. */
const NO_ROOM_MS = 1_000;

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

/**
 * A pool that shrinks where the server has no room for another connection: its callers then wait for the connections
 * that there are.
 */
class PoolWithinRoom extends pg.Pool {
  readonly #most: number;
  #asksAgainAt = 0;

  constructor(config: pg.PoolConfig & { max: number }) {
    super(config);
    this.#most = config.max;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(done: Connected): void;
  override connect(done?: Connected): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connect();
    if (done === undefined) return connecting;
    connecting.then(
      (client) => done(undefined, client, (error) => client.release(error as Error)),
      (error: unknown) => done(error as Error, undefined, () => undefined),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.options.max < this.#most && performance.now() >= this.#asksAgainAt) this.options.max = this.#most;
    try {
      return await super.connect();
    } catch (error) {
      const { totalCount } = this;
      // If one is refused while others are being opened, it may be the only one without room.
      if (!hasNoRoom(error) || totalCount === 0) throw error;
      this.options.max = totalCount;
      this.#asksAgainAt = performance.now() + NO_ROOM_MS;
      return this.#connect();
    }
  }
}

/**
 * Connections on which rows cannot be sent as a COPY. Sent behind its statement without waiting, it confuses PgBouncer: it counts
 * answers, and loses some of them or statements that it has prepared.
 */
const behindPooler = new WeakSet<pg.ClientBase>();

async function noteIfPooled(client: pg.ClientBase): Promise<void> {
  if (await isPooled(client)) behindPooler.add(client);
}

/** Connections that requests share. The caller that takes one releases it. */
export function openPool(options: DatabaseOptions, connecting: Connecting, max: number): pg.Pool {
  // The pool waits for this, though its types do not say so. All are sent at once.
  const prepare: (client: pg.ClientBase) => unknown = (client) =>
    Promise.all([
      connecting.require?.(client),
      client.query(PLAN_AS_DISTRIBUTED),
      client.query(END_WITH_CLIENT),
      noteIfPooled(client),
    ]);
  const pool = new PoolWithinRoom({
    // The client replaces it by the address of one of its servers.
    connectionString: options.connectionString,
    Client: connecting.Client,
    onConnect: prepare,
    max,
    connectionTimeoutMillis: connecting.timeoutMs ?? CONNECTION_TIMEOUT_MS,
    application_name: options.applicationName ?? APPLICATION_NAME,
    options: connectionOptions(),
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: valueTypes,
    pipeline: true,
  });
  // A client that breaks between the pool and the caller has no other listener; it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Without a handler, an idle connection that drops would end the process. One of a pool that ends may be closed by a server that
  // ends behind it, which is no news.
  pool.on('error', (error) => {
    if (!pool.ending) options.logger.warn({ err: error }, 'idle database connection lost');
  });
  return pool;
}

/**
 * Connections of their own, for work that takes minutes: a pool would lack them, and its statements are abandoned after
 * one minute. All of them see the same moment, and they are closed when `work` ends. All is in one transaction a connection: behind a
 * pooler the next one may be on another connection of the server, and what the one before has made there would be in the way of
 * whoever gets that.
 * @param how.prepare statements that each connection gets: tables and views of that transaction alone. Citus has none that are
 *   distributed: there nothing is prepared, and the first connection may make tables itself
 */
export async function readOneMoment<T>(
  options: DatabaseOptions,
  connecting: Connecting,
  { connections, prepare }: { connections: number; prepare?: string | undefined },
  work: (each: readonly Queries[]) => Promise<T>,
): Promise<T> {
  const clients = Array.from({ length: connections }, () => readingClient(options, connecting));
  try {
    let moment: string | undefined;
    for (const [at, client] of clients.entries()) {
      await client.connect();
      await client.query(END_WITH_CLIENT);
      const onCitus = prepare !== undefined && (await isDistributed(client));
      const begin = prepare === undefined || (onCitus && at > 0) ? BEGIN_SNAPSHOT : BEGIN_PREPARED;
      await client.query([begin, ...FOR_ANY_TIME, ...(onCitus && at === 0 ? ONE_CONNECTION_TO_EACH : [])].join(';'));
      if (moment !== undefined) await client.query(`set transaction snapshot ${pg.escapeLiteral(moment)}`);
      else if (connections > 1) moment = (await client.query('select pg_export_snapshot() as moment')).rows[0].moment;
      if (prepare !== undefined && !onCitus) await client.query(`${prepare}; set transaction read only`);
    }
    return await work(clients.map((client) => queriesOn(client)));
  } finally {
    // Closing a connection ends its transaction, which has changed nothing that stays.
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

function readingClient(options: DatabaseOptions, connecting: Connecting): pg.Client {
  const client = new connecting.Client({
    // Where the client has its own list of servers, it connects to one of those.
    connectionString: options.connectionString,
    connectionTimeoutMillis: connecting.timeoutMs ?? CONNECTION_TIMEOUT_MS,
    application_name: `${options.applicationName ?? APPLICATION_NAME} reading`,
    options: connectionOptions(),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: valueTypes,
  });
  client.on('error', () => undefined);
  return client;
}

/** How long a statement is waited for, in milliseconds; a function is asked for each. */
export type Deadline = number | (() => number);

export const msOf = (deadline: Deadline | undefined): number | undefined =>
  typeof deadline === 'function' ? deadline() : deadline;

/**
 * @param deadlineMs without an answer for this long a statement fails, and its connection is closed; `QUERY_TIMEOUT_MS`
 *   where left out
 */
export function queriesOn(client: pg.Pool | pg.ClientBase, deadlineMs?: Deadline): Queries {
  // The driver's types do not have the deadline of a statement.
  const ask = (on: pg.Pool | pg.ClientBase, text: string, name: string, values: unknown[]) =>
    on.query({ name, text, values, query_timeout: msOf(deadlineMs) } as pg.QueryConfig);
  const insert = async (on: pg.Pool | pg.ClientBase, into: SetStatement<never>, rows: readonly Write['row'][]) =>
    void (await ask(on, into.text, into.name, columnArrays(into, rows)));
  return {
    async query<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
      // Without a name it is not kept prepared.
      const name = statement.isFleeting === true ? '' : statement.name;
      const { text, whereDistributed } = statement;
      const chosen = whereDistributed !== undefined && (await isDistributed(client)) ? whereDistributed : text;
      return (await ask(client, chosen, name, [...values])).rows as Row[];
    },
    async run(into, rows) {
      if (rows.length === 0) return;
      const { copyText } = into;
      if (copyText === undefined) return insert(client, into, rows);
      await onConnection(client, (on) =>
        behindPooler.has(on) ? insert(on, into, rows) : runCopy(on, copyOf(into, copyText, rows), msOf(deadlineMs)),
      );
    },
  };
}

/** A pool lends the connection, and closes it where something fails, as it does for its own queries. */
async function onConnection(
  client: pg.Pool | pg.ClientBase,
  work: (on: pg.ClientBase) => Promise<void>,
): Promise<void> {
  if (!(client instanceof pg.Pool)) return work(client);
  const lent = await client.connect();
  try {
    await work(lent);
  } catch (error) {
    lent.release(true);
    throw error;
  }
  lent.release();
}
