import { rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Logger } from '../logger.ts';
import { BUSY, CORE_TIME_MS, type CoreShare, wanted } from './core-time.ts';
import { createLineReader, createLineWriter } from './lines.ts';

/** A process of the same group, over a socket that only processes of this user can reach. */
export interface Peer {
  readonly number: number;
  /** What its thread had of a core, as it said with its last sign of life; `BUSY` before that, and where it takes no connections. */
  load(): CoreShare;
  /** How many signs of life it gave. */
  signs(): number;
  /** Whether it then had much to do for this owner of work. */
  isBusyWith(owner: string): boolean;
  /**
   * The answer to a text of one line.
   * @throws PeerLostError where it ended or went silent before it answered: what was asked may have been done or not.
   */
  ask(text: string): Promise<string>;
}

export interface Answers {
  /** Where it rejects, the asker gets no answer and loses this process. */
  answer(text: string): Promise<string>;
  /** For whom it has much to do at this moment; none has a space in its name. */
  busyWith(): readonly string[];
}

/** The other processes of a group, as one of them knows them. */
export interface Peers {
  /**
   * The process that owns this number, the same in every process; undefined where that is this one, or one that cannot
   * be reached now.
   */
  ownerOf(hash: number): Peer | undefined;
  /** The one whose thread wanted least of a core lately, of those that can be reached now. */
  idlest(): Peer | undefined;
  /** From now on answers what others ask. */
  answer(how: Answers): void;
  /** Accepts no more questions, answers those that it has, and closes the connections to the others. */
  close(): Promise<void>;
}

export class PeerLostError extends Error {
  constructor() {
    super('The process that was asked went away before it answered.');
    this.name = 'PeerLostError';
  }
}

/** A peer is asked this often whether it is there and how busy it is, and disconnected when it was silent for so long. */
const PULSE_MS = CORE_TIME_MS;
const SILENCE_MS = 3_000;
const RECONNECT_MS = 250;
/** No question is equal to this, and no answer begins so: each begins with its number. */
const PULSE = '.';

interface PeersOptions {
  /** A folder of this user alone; each process has a socket in it, named by its number. */
  folder: string;
  /** From 1. */
  number: number;
  of: number;
  /** What this process says of its own thread: `BUSY` where it may be given no connections. */
  load(): CoreShare;
  logger: Logger;
}

/** Connects to all others, and again whenever one of them was replaced. */
export function connectPeers({ folder, number, of, load, logger }: PeersOptions): Peers {
  const links = Array.from({ length: of }, (_, at) =>
    at + 1 === number ? undefined : createLink(at + 1, addressOf(folder, at + 1)),
  );
  let answering: Promise<Answering | undefined> | undefined;
  return {
    ownerOf: (hash) => links[hash % of]?.peer(),
    idlest() {
      const reachable = links.flatMap((link) => link?.peer() ?? []);
      return reachable.sort((one, other) => wanted(one.load()) - wanted(other.load()))[0];
    },
    answer(how) {
      answering = listen(addressOf(folder, number), { ...how, load, logger }).catch((error: unknown) => {
        logger.warn({ err: error }, 'the other processes of the group cannot reach this one');
        return undefined;
      });
    },
    async close() {
      await (await answering)?.close();
      for (const link of links) link?.close();
    },
  };
}

/** Windows has pipes by name, and no sockets in a folder. */
function addressOf(folder: string, number: number): string {
  return process.platform === 'win32'
    ? join('\\\\.\\pipe', folder.replaceAll(/[\\/:]/g, '-'), String(number))
    : join(folder, `${number}.sock`);
}

interface Link {
  /** Undefined while it is not connected. */
  peer(): Peer | undefined;
  close(): void;
}

interface Waiting {
  resolve: (answer: string) => void;
  reject: (error: PeerLostError) => void;
}

function createLink(number: number, address: string): Link {
  let connected: Peer | undefined;
  let closed = false;
  let socket: Socket;

  function connect(): void {
    const waiting = new Map<string, Waiting>();
    let asked = 0;
    let heardAt = performance.now();
    let load = BUSY;
    let signs = 0;
    let busy = new Set<string>();
    socket = createConnection(address);
    const write = createLineWriter(socket);
    const peer: Peer = {
      number,
      load: () => load,
      signs: () => signs,
      isBusyWith: (owner) => busy.has(owner),
      ask: (text) =>
        new Promise((resolve, reject) => {
          asked += 1;
          const id = asked.toString(36);
          waiting.set(id, { resolve, reject });
          write(`${id} ${text}`);
        }),
    };
    const pulse = setInterval(() => {
      if (performance.now() - heardAt > SILENCE_MS) socket.destroy();
      else write(PULSE);
    }, PULSE_MS);
    pulse.unref();
    socket.unref();
    socket.on('connect', () => {
      connected = peer;
    });
    socket.on('error', () => undefined);
    createLineReader(socket, (line) => {
      heardAt = performance.now();
      const at = line.indexOf(' ');
      const id = line.slice(0, at);
      if (id === PULSE) {
        const [used, waited, ...owners] = line.slice(at + 1).split(' ');
        load = { used: Number(used), waited: Number(waited) };
        signs += 1;
        busy = new Set(owners);
      }
      waiting.get(id)?.resolve(line.slice(at + 1));
      waiting.delete(id);
    });
    socket.on('close', () => {
      clearInterval(pulse);
      connected = undefined;
      for (const { reject } of waiting.values()) reject(new PeerLostError());
      if (!closed) setTimeout(connect, RECONNECT_MS).unref();
    });
  }

  connect();
  return {
    peer: () => connected,
    close() {
      closed = true;
      socket.destroy();
    },
  };
}

interface Answering {
  close(): Promise<void>;
}

interface Listening extends Answers {
  load(): CoreShare;
  logger: Logger;
}

const signOfLife = ({ used, waited }: CoreShare, owners: readonly string[]): string =>
  [PULSE, used.toFixed(2), waited.toFixed(2), ...owners].join(' ');

async function listen(address: string, { answer, busyWith, load, logger }: Listening): Promise<Answering> {
  const sockets = new Set<Socket>();
  const underWay = new Set<Promise<void>>();
  let closing = false;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    const write = createLineWriter(socket);
    createLineReader(socket, (line) => {
      if (line === PULSE) return write(signOfLife(load(), busyWith()));
      // The asker learns this from the end of the connection.
      if (closing) return undefined;
      const at = line.indexOf(' ');
      const answered = answer(line.slice(at + 1))
        .then((text) => write(`${line.slice(0, at)} ${text}`))
        .catch((error: unknown) => {
          logger.error({ err: error }, 'a process of the group could not be answered');
          socket.destroy();
        })
        .finally(() => underWay.delete(answered));
      underWay.add(answered);
      return undefined;
    });
  });
  // A process that was killed leaves its socket behind.
  if (process.platform !== 'win32') rmSync(address, { force: true });
  await listening(server, address);
  server.unref();
  return {
    async close() {
      closing = true;
      const gone = new Promise((resolve) => server.close(resolve));
      await Promise.all(underWay);
      // After what is written in this turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      for (const socket of sockets) socket.destroySoon();
      await gone;
    },
  };
}

function listening(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Also later: a connection that could not be accepted ends nothing.
    server.on('error', reject);
    server.listen(address, () => resolve());
  });
}
