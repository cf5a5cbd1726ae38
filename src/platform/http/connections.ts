import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../logger.ts';
import { addFastPath, endIfStalled, type FastPath, STALLED_MS } from './fast-path.ts';

/** How long a stopping server still answers on open connections, each answer the last one of its connection. */
const FAREWELL_MS = 250;
/**
 * How long it then waits for the rest of requests that it has begun to read: a slow network delivers one that is under way
 * in that time. Whoever sends nothing more would hold up the stop until it is cut short, and leave the database running.
 */
const REST_MS = 3_000;
/** A busy system shows a connection to its client a moment before it hands it to the listener. */
const HANDED_OVER_MS = 20;
/** Connections that Node lets wait until a process accepts them (its default backlog). */
const MOST_WAITING = 511;

/**
 * Where clients hold all file descriptors, each further connection is one such error: the log says so only this often.
 */
const SAY_EVERY_MS = 60_000;

/**
 * A connection that the system could not accept ends nothing. Whether a server listens at all is checked where it is
 * started.
 */
export function surviveRefusedConnections({ server }: FastifyInstance, logger: Logger): void {
  let nextAt = 0;
  server.on('error', (error) => {
    if (!server.listening || performance.now() < nextAt) return;
    nextAt = performance.now() + SAY_EVERY_MS;
    logger.warn({ err: error }, 'connections cannot be taken in');
  });
}

/**
 * Where Node reads a connection. It would wait for ever for a client that takes nothing of its answer, with what the answer
 * is made of: a file that is open, say.
 */
export function endStalled({ server }: FastifyInstance): void {
  server.setTimeout(STALLED_MS, (socket: Connection) => {
    // Without an answer under way it is one that was kept for the next request.
    if (socket._httpMessage) endIfStalled(socket);
    else socket.destroy();
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Ends all connections, whatever is under way on them: the last resort of a stop. */
    endConnections(): void;
  }
}

/** A connection, and the answer under way on it, where Node gives it. */
type Connection = Socket & { _httpMessage?: ServerResponse | null };

interface Connections {
  readonly open: Set<Connection>;
  readonly fastPath: FastPath;
  /** All connections that were ever accepted. */
  taken: number;
}

export function connectionsOf({ server }: FastifyInstance): Connections {
  const connections = { open: new Set<Connection>(), fastPath: addFastPath(server), taken: 0 };
  server.on('connection', (socket: Connection) => {
    connections.taken += 1;
    connections.open.add(socket);
    socket.once('close', () => connections.open.delete(socket));
  });
  return connections;
}

/**
 * Accepts no new connections, and answers requests on the open ones for a moment, each answer the last of its
 * connection. `close` alone would cut idle ones, also where the next request is on its way, and would wait for ever for
 * one that a browser opened in reserve, or for the rest of a request.
 */
export async function sayFarewell({ server }: FastifyInstance, connections: Connections): Promise<void> {
  if (!server.listening) return;
  const allGone = once(server, 'close');
  await takeInWaiting(connections);
  await sleep(HANDED_OVER_MS);
  await takeInWaiting(connections);
  NetServer.prototype.close.call(server);
  await Promise.race([allGone, sleep(FAREWELL_MS)]);
  // A process that was busy for all of that time has not seen what arrived in it.
  await readWhatCame();
  for (const connection of connections.open) {
    const answer = connection._httpMessage;
    if (answer) closeAfter(answer, connection);
    else if (connections.fastPath.progressOf(connection) === undefined) connection.destroy();
  }
  if (connections.open.size === 0) return;
  // Beside the stop, which goes on as soon as all connections have ended.
  const timer = setTimeout(() => endIncomplete(connections), REST_MS);
  server.once('close', () => clearTimeout(timer));
}

/** What has arrived in full is answered, however long that takes. */
function endIncomplete({ open, fastPath }: Connections): void {
  for (const connection of open) {
    const answer = connection._httpMessage;
    const isArriving = answer ? !answer.req.complete : fastPath.progressOf(connection) === 'ARRIVING';
    if (isArriving) connection.destroy();
  }
}

/**
 * The answer under way is the last one, also where it was begun before. Otherwise the client might keep the connection
 * for more.
 */
function closeAfter(answer: ServerResponse, connection: Connection): void {
  answer.shouldKeepAlive = false;
  answer.once('finish', () => connection.destroySoon());
}

/**
 * Accepts connections that the system has accepted and this process has not seen yet: otherwise they would be reset. A
 * turn of the event loop may accept only one.
 */
async function takeInWaiting(connections: Connections): Promise<void> {
  let before = -1;
  for (let turns = 0; turns < MOST_WAITING && before < connections.taken; turns += 1) {
    before = connections.taken;
    await readWhatCame();
  }
}

/** Until the event loop has read all its sockets once: the first turn may have begun after that. */
async function readWhatCame(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
