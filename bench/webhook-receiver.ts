import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A merchant's receiver in a process of its own: takes webhooks, counts them, and notes where they are out of order or
 * come under another id. Prints its address, and what it has seen to whoever asks with GET. Its argument is how long it takes
 * for an answer, in milliseconds.
 */
const answerMs = Number(process.argv[2] ?? 0);
const seen = new Map<number, string>();
let last = 0;
let outOfOrder = 0;
let underOtherIds = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ received: seen.size, outOfOrder, underOtherIds }));
    return;
  }
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const { sequence } = JSON.parse(Buffer.concat(pieces).toString()) as { sequence: number };
    const id = String(request.headers['webhook-id']);
    const known = seen.get(sequence);
    if (known === undefined) {
      if (sequence < last) outOfOrder += 1;
      seen.set(sequence, id);
    } else if (known !== id) underOtherIds += 1;
    last = Math.max(last, sequence);
    if (answerMs === 0) response.end();
    else setTimeout(() => response.end(), answerMs);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`is up at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
