import { parentPort } from 'node:worker_threads';
import { drawReceipt } from './draw-receipt.ts';
import type { Receipt } from './receipt.ts';

/** What the thread answers: the bytes, or why there are none. */
export type Drawn = { content: Uint8Array } | { error: string };

parentPort?.on('message', (receipt: Receipt) => {
  drawReceipt(receipt).then(
    (content) => answer({ content }),
    (error: unknown) => answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

const answer = (drawn: Drawn): void => parentPort?.postMessage(drawn);
