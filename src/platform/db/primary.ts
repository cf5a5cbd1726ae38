import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../logger.ts';
import { withPlanning } from './planning.ts';

/** A server that does not answer the shortest question within this time counts as gone. */
const PROBE_MS = 2_000;
/** The pieces in which its answer is waited for. */
const PROBE_PIECES = 10;
/** How often it is asked while statements are under way, and while no server takes writes. */
const PROBE_EVERY_MS = 1_000;
/** Requests that come while no server takes writes check again themselves, at most this often. */
const LEAST_PAUSE_MS = 50;
/** How long the server that was used until now may take to answer before another one is used. */
const HEAD_START_MS = 200;
/** After this long without traffic on a connection, the network is asked whether the other end is still there. */
export const KEEP_ALIVE_MS = 10_000;

/** A server that answers and takes no writes: a standby, or a former primary. */
export class ReadOnlyServerError extends Error {
  constructor() {
    super('The database server takes no writes.');
    this.name = 'ReadOnlyServerError';
  }
}

/** Nothing came from a server within `PROBE_MS`. */
class SilentServerError extends Error {
  constructor() {
    super('The database server does not answer.');
    this.name = 'SilentServerError';
  }
}

/** No server of `DATABASE_URL` takes writes at the moment. */
export class NoPrimaryError extends Error {
  /** @param why the reason of the server that was used until now */
  constructor(why: unknown) {
    super(`No database server takes writes${why instanceof Error ? `: ${why.message}` : '.'}`, { cause: why });
    this.name = 'NoPrimaryError';
  }
}

const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

/**
 * One address for each server of an address with several hosts, as libpq writes them:
 * `postgres://user:secret@one:5432,two:5432/manilla`. `target_session_attrs` is removed: the server that takes writes
 * is always meant.
 */
export function serversOf(connectionString: string): string[] {
  const [, before = '', hosts = '', after = ''] = AUTHORITY.exec(connectionString) ?? [];
  if (!hosts.includes(',') && !after.includes('target_session_attrs')) return [connectionString];
  const rest = after.replace(/([?&])target_session_attrs=[^&#]*&?/, '$1').replace(/[?&](?=$|#)/, '');
  return hosts.split(',').map((host) => `${before}${host}${rest}`);
}

/** The port of the address of one server. @throws what keeps the driver from reading it, or a certificate that it names */
export const portOf = (address: string): number => new pg.Client({ connectionString: address }).port;

/** Knows which of the servers takes writes, and opens connections to it. */
export interface Primary {
  /** For `pg.Pool`: a client that connects to the server that took writes last. */
  readonly Client: new (
    config?: pg.ClientConfig,
  ) => pg.Client;
  /** @throws ReadOnlyServerError for a connection to a server that takes no writes */
  require(client: pg.ClientBase): Promise<void>;
  /** Something failed, and the server may have ended: checks at once. */
  suspect(): void;
  /** Waits while no server takes writes. @throws NoPrimaryError */
  usable(): Promise<void> | undefined;
  close(): Promise<void>;
}

interface PrimaryOptions {
  connectionString: string;
  applicationName: string;
  logger: Logger;
  /** Whether statements are under way: then the server is watched. */
  isBusy(): boolean;
}

/**
 * Follows the primary of a database with several servers, and notices within seconds that a server has gone silent. A
 * connection to a server that was frozen or cut off stays silent for minutes, since nobody resets it. So while
 * statements are under way, a connection of its own asks the shortest question each second. Without an answer, every
 * server is asked again, all at once; the first one of the list that takes writes is the primary. Connections to
 * another one, and all where there is none, are closed: what was under way on them fails at once, and is looked up or
 * repeated as after any lost connection. A server that answers others meanwhile is there: then only connections that are
 * silent themselves are closed, if any.
 */
export function followPrimary(options: PrimaryOptions): Primary {
  const servers = serversOf(options.connectionString);
  const planned = servers.map(withPlanning);
  const open = new Map<pg.Client, number>();
  let at = 0;
  // With several servers, nobody knows yet which one it is.
  let isLost = servers.length > 1;
  let whyLost: unknown;
  let watching: pg.Client | undefined;
  let probing: Promise<void> | undefined;
  let closed = false;

  class PrimaryClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: planned[at] as string });
      open.set(this, at);
      this.once('end', () => open.delete(this));
    }
  }

  const cut = (isOf: (server: number) => boolean) => {
    for (const [client, server] of open) if (isOf(server)) destroy(client);
  };

  const received = () => new Map(Array.from(open.keys(), (client) => [client, bytesFrom(client)]));

  const findNone = (why: unknown) => {
    // The server is there, with all its connections: closing them would help nobody.
    if (!isLost && hasNoRoom(why)) return;
    if (!isLost) options.logger.warn({ err: why }, 'no database server takes writes');
    whyLost = why;
    isLost = true;
    cut(() => true);
  };

  const look = async () => {
    const wereOpen = watching === undefined ? new Map<pg.Client, number>() : received();
    if (watching !== undefined && (await takesWrites(watching))) return;
    if (watching !== undefined) destroy(watching);
    watching = undefined;
    const before = received();
    const asked = servers.map((address) => openWatch(address, options.applicationName));
    const found = await firstToTakeWrites(asked, at);
    for (const [server, opened] of asked.entries())
      if (server !== found?.server) void opened.then(destroy, () => undefined);
    if (closed) return found === undefined ? undefined : destroy(found.client);
    if (found === undefined) {
      const why = await asked[at]?.catch((reason: unknown) => reason);
      // It is there for those that it answered meanwhile, whatever the watch waits for: in a queue of PgBouncer, say.
      if (!isLost && why instanceof SilentServerError && [...open.keys()].some(answeredSince(before))) return;
      return findNone(why);
    }
    watching = found.client;
    if (isLost || found.server !== at)
      options.logger.info({ server: found.server + 1, of: servers.length }, 'a database server takes writes');
    at = found.server;
    isLost = false;
    cut((server) => server !== at);
    // With the watch, every connection that was silent since may have been lost, also where a new one works.
    const isAnswered = answeredSince(wereOpen);
    for (const client of wereOpen.keys()) if (!isAnswered(client)) destroy(client);
  };

  const probe = () =>
    (probing ??= look()
      .catch((error: unknown) => options.logger.warn({ err: error }, 'the database servers could not be looked at'))
      .finally(() => (probing = undefined)));

  const usable = async () => {
    await sleep(LEAST_PAUSE_MS);
    await probe();
    if (isLost) throw new NoPrimaryError(whyLost);
  };

  const timer = setInterval(() => {
    if (!closed && (isLost || options.isBusy())) void probe();
  }, PROBE_EVERY_MS);
  timer.unref();

  return {
    Client: PrimaryClient,
    async require(client) {
      if (await isReadOnly(client)) throw new ReadOnlyServerError();
    },
    suspect() {
      if (!closed) void probe();
    },
    usable: () => (isLost ? usable() : undefined),
    async close() {
      closed = true;
      clearInterval(timer);
      await probing;
      await watching?.end().catch(() => undefined);
    },
  };
}

/**
 * The first server that takes writes. The server that was used until now is preferred: where two take writes, their
 * cluster manager has to decide between them.
 */
async function firstToTakeWrites(
  asked: readonly Promise<pg.Client>[],
  until: number,
): Promise<{ server: number; client: pg.Client } | undefined> {
  const each = asked.map(async (opened, server) => ({ server, client: await opened }));
  const first = await Promise.any(each).catch(() => undefined);
  if (first === undefined || first.server === until) return first;
  return Promise.race([each[until], sleep(HEAD_START_MS)]).then(
    (preferred) => preferred ?? first,
    () => first,
  );
}

async function isReadOnly(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  return rows[0]?.transaction_read_only === 'on';
}

/** The driver's types do not have it. */
const streamOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Destroys a connection, and reports that to the code that waits on it. */
const destroy = (client: pg.Client): void => void streamOf(client).destroy();

/** What came from the server on this connection so far. */
const bytesFrom = (client: pg.Client): number => streamOf(client).bytesRead;

const answeredSince = (before: ReadonlyMap<pg.Client, number>) => (client: pg.Client) =>
  bytesFrom(client) > (before.get(client) ?? Infinity);

/** @throws why the server is none that takes writes */
async function openWatch(connectionString: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: `${applicationName} watch`,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  client.on('error', () => undefined);
  let why: unknown = new SilentServerError();
  const opened = client
    .connect()
    .then(() => isReadOnly(client))
    .then(
      (readOnly) => {
        if (readOnly) why = new ReadOnlyServerError();
        return !readOnly;
      },
      (error: unknown) => {
        why = error;
        return false;
      },
    );
  if (await within(opened)) return client;
  destroy(client);
  throw why;
}

/** PgBouncer's words: of all its clients, and from 1.24 on of one database or user. It has one code for all that it refuses. */
const POOLER_HAS_NO_ROOM = /no more connections allowed|client connections exceeded/;

/** Whether a server, or PgBouncer before it, has as many connections as it takes. */
export function hasNoRoom(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '53300' || POOLER_HAS_NO_ROOM.test(error.message));
}

/** False for a server that takes none, and for one that does not answer. */
function takesWrites(client: pg.Client): Promise<boolean> {
  return within(
    isReadOnly(client).then(
      (readOnly) => !readOnly,
      () => false,
    ),
  );
}

async function within(answer: Promise<boolean>): Promise<boolean> {
  const over = new AbortController();
  try {
    return await Promise.race([answer, silence(over.signal)]);
  } finally {
    over.abort();
  }
}

/**
 * Resolves when no answer has come for so long. Time in which this process itself was held up does not count: it takes
 * one piece at most, and what arrived meanwhile is read before the next piece is over.
 */
async function silence(over: AbortSignal): Promise<false> {
  for (let piece = 0; piece < PROBE_PIECES && !over.aborted; piece += 1) await sleep(PROBE_MS / PROBE_PIECES);
  await setImmediate();
  return false;
}

/** A connection of its own to the server that takes writes. @throws the error of the last server, where none does */
export async function connectToPrimary(config: pg.ClientConfig & { connectionString: string }): Promise<pg.Client> {
  let failure: unknown;
  for (const connectionString of serversOf(config.connectionString)) {
    const client = new pg.Client({ ...config, connectionString });
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (!(await isReadOnly(client))) return client;
      failure = new ReadOnlyServerError();
    } catch (error) {
      failure = error;
    }
    await client.end().catch(() => undefined);
  }
  throw failure;
}
