import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: events of every type
  event: any;
  /** Counts the connections of the receiver from 1. */
  connection: number;
}

/** What a receiver does with a call; `next` is how many came before. */
export type Behaviour = (received: Received, response: ServerResponse, next: number) => void;

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** Sequences in the order in which they arrived. */
  sequences(): number[];
  connections(): number;
  behave(behaviour: Behaviour): void;
  /** Answers with this status from now on. */
  answer(status: number, body?: string): void;
  close(): Promise<void>;
}

/** A merchant's server on this machine, that takes everything until it is told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Map<Socket, number>();
  let connections = 0;
  const plain =
    (status: number, body = 'ok'): Behaviour =>
    (_, response) => {
      response.writeHead(status, { 'content-type': 'text/plain' });
      response.end(body);
    };
  let behaviour = plain(200);
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('error', () => undefined);
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString('utf8');
      const call = {
        headers: request.headers,
        body,
        event: JSON.parse(body),
        connection: sockets.get(request.socket) ?? 0,
      };
      received.push(call);
      behaviour(call, response, received.length - 1);
    });
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.set(socket, connections);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    sequences: () => received.map(({ event }) => event.sequence),
    connections: () => connections,
    behave: (next) => {
      behaviour = next;
    },
    answer: (status, body) => {
      behaviour = plain(status, body);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets.keys()) socket.destroy();
      }),
  };
}
