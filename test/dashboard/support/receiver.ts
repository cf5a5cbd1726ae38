import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Receiver {
  readonly url: string;
  /** What it answers from now on. */
  answer: { status: number; body: string };
  /** The types of the events that it was sent, in order. */
  readonly received: string[];
  close(): void;
}

/** A merchant's own server on this machine, which takes webhooks or does not. */
export async function startReceiver(): Promise<Receiver> {
  const receiver = { answer: { status: 200, body: 'thanks' }, received: [] as string[] };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      receiver.received.push((JSON.parse(body) as { type: string }).type);
      response.writeHead(receiver.answer.status).end(receiver.answer.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return Object.assign(receiver, { url: `http://127.0.0.1:${port}/hooks`, close });
}
