import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** In a thread of its own: sends requests while the thread of the server is busy, and says when the system has them. */
export interface EagerClient {
  port: number;
  connections: number;
  /** How many requests were sent. */
  sent: Int32Array;
}

/** What came back on a connection: the statuses of its answers, or how it broke. */
export type Heard = (number | string)[];

const { port, connections, sent } = workerData as EagerClient;
const REQUEST = 'GET /hello HTTP/1.1\r\nhost: here\r\n\r\n';
const sockets: Socket[] = [];
const heard: Heard[] = [];
const closed: Promise<unknown>[] = [];

function ask(socket: Socket): void {
  socket.write(REQUEST, () => {
    Atomics.add(sent, 0, 1);
    Atomics.notify(sent, 0);
  });
}

function open(): void {
  const of: Heard = [];
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (bytes) => {
    for (const [, status] of bytes.toString().matchAll(/^HTTP\/1.1 (\d+)/gm)) of.push(Number(status));
  });
  socket.on('error', (error: NodeJS.ErrnoException) => of.push(error.code ?? error.message));
  sockets.push(socket);
  closed.push(new Promise((resolve) => socket.once('close', resolve)));
  heard.push(of);
  ask(socket);
}

const DO: Record<string, () => void> = {
  open: () => {
    for (let at = 0; at < connections; at += 1) open();
  },
  'ask again': () => sockets.forEach(ask),
  report: () => parentPort?.postMessage(heard),
  // What a server wrote before it was gone may still be on its way.
  'report at the end': () => void Promise.all(closed).then(() => parentPort?.postMessage(heard)),
};
parentPort?.on('message', (what: string) => DO[what]?.());
