import { AppError } from '../errors.ts';
import type { DatabaseOptions, Queries } from './connections.ts';
import { serversOf } from './primary.ts';
import { type Statement, statement } from './statement.ts';

/** Beside work the coordinator is asked this often who its servers are. */
const LISTED_EVERY_MS = 1_000;
/** What it said counts for so long: a server that it replaced is written to no longer than this. */
const LISTED_FOR_MS = 4_000;

/**
 * Those that have all that a statement needs to be planned. The coordinator itself is group 0. Other servers do not have the
 * table, so it is no statement that the checks describe.
 */
const listServers: Statement<{ server: string; host: string; port: number }> = {
  name: 'list-servers',
  text: `select groupid::text as server, nodename as host, nodeport as port
     from pg_dist_node
    where groupid <> 0 and noderole = 'primary' and isactive and hasmetadata and metadatasynced`,
};

const probe = statement<{ is_there: boolean }>('probe-server', 'select true as is_there');

type Call = (...given: never[]) => Promise<unknown>;

/** What is known of a database here: how it is asked. */
interface Askable extends Queries {
  transaction: Call;
  snapshot: Call;
  close(): Promise<void>;
}

const CALLS = ['query', 'run', 'transaction', 'snapshot'] as const;

/** The servers over which Citus distributes a database. */
export interface Servers<Database> {
  /** The database at that server; undefined where the coordinator has to be asked: it is away, new, or not known. */
  at(server: string): Database | undefined;
  close(): Promise<unknown>;
}

interface ServersDeps<Database> {
  options: DatabaseOptions;
  coordinator: Pick<Queries, 'query'>;
  open(options: DatabaseOptions): Database;
  /** Milliseconds from any moment on. */
  now?: () => number;
}

interface Server<Database> {
  address: string;
  database: Database;
  /** It has not answered yet, or failed: no work goes there until it has answered a question that nobody waits for. */
  isAway: boolean;
  probing: Promise<unknown> | undefined;
}

/**
 * Asks servers of Citus by themselves: each can plan what the coordinator can, and what it has itself it answers without
 * asking another one. Who they are is what the coordinator says, asked anew beside the work.
 */
export function followServers<Database extends Askable>(deps: ServersDeps<Database>): Servers<Database> {
  const { options, coordinator, open, now = () => performance.now() } = deps;
  const { replica: _, ...alone } = options;
  const [first = options.connectionString] = serversOf(options.connectionString);
  const known = new Map<string, Server<Database>>();
  const left = new Set<Promise<void>>();
  let listedAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;

  function leave({ database }: Server<Database>): void {
    const closing = database.close().catch(() => undefined);
    left.add(closing);
    void closing.then(() => left.delete(closing));
  }

  async function list(): Promise<void> {
    const at = now();
    askedAt = at;
    const rows = await coordinator.query(listServers);
    listedAt = at;
    const addresses = new Map(rows.map(({ server, host, port }) => [server, addressOf(first, host, port)]));
    for (const [server, before] of known) {
      if (addresses.get(server) === before.address) continue;
      known.delete(server);
      leave(before);
    }
    for (const [server, address] of addresses) {
      if (!known.has(server)) known.set(server, made(server, address));
      const { isAway, probing } = known.get(server) as Server<Database>;
      if (isAway && probing === undefined) ask(known.get(server) as Server<Database>);
    }
  }

  function made(server: string, address: string): Server<Database> {
    const database = open({ ...alone, connectionString: address });
    const one: Server<Database> = { address, database, isAway: true, probing: undefined };
    one.database = noting(one, server);
    return one;
  }

  function ask(one: Server<Database>): void {
    one.probing = one.database
      .query(probe)
      .then(
        () => (one.isAway = false),
        () => undefined,
      )
      .finally(() => (one.probing = undefined));
  }

  function noting(one: Server<Database>, server: string): Database {
    const { database } = one;
    let isSaid = false;
    const noted = async <T>(work: Promise<T>): Promise<T> => {
      try {
        const result = await work;
        isSaid = false;
        return result;
      } catch (error) {
        if (isOutOfReach(error)) {
          one.isAway = true;
          if (!isSaid)
            options.logger.warn({ err: error, server }, 'a server of Citus is asked by the coordinator alone');
          isSaid = true;
        }
        throw error;
      }
    };
    const watched = { ...database };
    for (const name of CALLS) {
      const call = database[name] as (...given: unknown[]) => Promise<unknown>;
      Object.assign(watched, { [name]: (...given: unknown[]) => noted(call(...given)) });
    }
    return watched;
  }

  return {
    at(server) {
      const moment = now();
      // Where that fails, the list grows old.
      if (moment - askedAt >= LISTED_EVERY_MS) list().catch(() => undefined);
      if (moment - listedAt >= LISTED_FOR_MS) return undefined;
      const found = known.get(server);
      return found === undefined || found.isAway ? undefined : found.database;
    },
    close: () => Promise.all([...Array.from(known.values(), ({ database }) => database.close()), ...left]),
  };
}

/** It was not reached, or did not let us in. */
const isOutOfReach = (error: unknown): boolean =>
  error instanceof AppError ? error.kind === 'unavailable' : /^(28|3D)/.test((error as { code?: string }).code ?? '');

function addressOf(connectionString: string, host: string, port: number): string {
  const address = new URL(connectionString);
  address.host = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  for (const name of ['host', 'port']) address.searchParams.delete(name);
  return address.href;
}
