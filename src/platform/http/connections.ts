import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, Socket, type SocketConstructorOpts } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../logger.ts';
import type { ConnectionMoves } from '../processes/connection-moves.ts';
import type { Member } from '../processes/member.ts';
import type { ConnectionHandle } from '../processes/messages.ts';
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
    /** Lets connections move between this process and the others of its group. */
    letConnectionsMove(moving: Moving): void;
    /** Ends all connections, whatever is under way on them: the last resort of a stop. */
    endConnections(): void;
  }
}

/** A connection, and the answer under way on it, where Node gives it. */
type Connection = Socket & { _httpMessage?: ServerResponse | null };

/** What Node keeps of a connection: there is no other way to take one apart, or to count one that a server did not accept. */
interface NodesSocket {
  _handle: ConnectionHandle | null;
  server: Server;
  _server: Server;
}

/** Takes the handle of a connection that is idle; the socket ends, as if the client had gone. @returns undefined where it has none. */
function detach(connection: Socket): ConnectionHandle | undefined {
  const nodes = connection as unknown as NodesSocket;
  const handle = nodes._handle;
  if (handle === null || handle.readStop() !== 0) return undefined;
  nodes._handle = null;
  connection.destroy();
  return handle;
}

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

/** How connections of a server move between the processes of a group. */
export interface Moving {
  moves: Pick<ConnectionMoves, 'goalOf' | 'moved'>;
  member: Pick<Member, 'giveConnection' | 'mayGive' | 'takeConnections'>;
}

export function moveConnections(app: FastifyInstance, connections: Connections, { moves, member }: Moving): void {
  connections.fastPath.letLeave({
    wants: (connection) => member.mayGive() && moves.goalOf(connection) !== undefined,
    take(connection) {
      const to = member.mayGive() ? moves.goalOf(connection) : undefined;
      const handle = to === undefined ? undefined : detach(connection);
      if (to === undefined || handle === undefined) return;
      moves.moved(to);
      member.giveConnection(to.number, handle);
    },
  });
  app.server.once('listening', () =>
    member.takeConnections({
      serve: (handle) => attach(app, connections, handle),
      isServing: () => app.server.listening,
    }),
  );
}

/** Serves a connection that another process gave, as if it had been accepted here. */
function attach({ server }: FastifyInstance, { fastPath }: Connections, handle: ConnectionHandle): void {
  const options = { handle, readable: true, writable: true, allowHalfOpen: true };
  const socket = new Socket(options as unknown as SocketConstructorOpts);
  Object.assign(socket as unknown as NodesSocket, { server, _server: server });
  (server as unknown as { _connections: number })._connections += 1;
  server.emit('connection', socket);
  if (server.listening) return;
  // It came behind the farewell.
  setTimeout(() => {
    if (fastPath.progressOf(socket) === undefined) socket.destroy();
  }, FAREWELL_MS);
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
