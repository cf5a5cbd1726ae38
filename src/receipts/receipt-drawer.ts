import { Worker } from 'node:worker_threads';
import { createOpenWork, createOwnerQueue } from '../platform/owner-queue.ts';
import type { Drawn } from './draw-thread.ts';
import { receiptsBusy } from './errors.ts';
import type { Receipt } from './receipt.ts';

/** Some ten seconds of work. */
const MOST_WAITING = 100;
/** Of one merchant, so that its many requests for receipts keep no other merchant from theirs. */
const MOST_OF_OWNER = 10;
/** A receipt takes some 50 ms; the first of a thread also waits for its start, which takes seconds on a busy machine. */
const MAX_DRAWING_MS = 30_000;
const THREAD_HEAP_MB = 96;

/** Draws a receipt as a PDF. @throws AppError 503 `RECEIPTS_BUSY` */
export type ReceiptDrawer = ((owner: string, receipt: Receipt) => Promise<Buffer>) & { close(): Promise<void> };

/**
 * Receipts are drawn one at a time, in a thread that is started for the first of them: requests that move money never wait
 * for one. Owners take turns, and beyond some that wait more are refused.
 */
export function createReceiptDrawer({ heapMb = (): number => THREAD_HEAP_MB } = {}): ReceiptDrawer {
  const inTurn = createOwnerQueue({ atOnce: 1 });
  const waiting = createOpenWork();
  let thread: Worker | undefined;

  /** Where the thread ends below a receipt, of memory or of one before, another thread draws it: once, since it may be why. */
  async function draw(receipt: Receipt): Promise<Buffer> {
    try {
      return await drawInThread(receipt);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
    }
    try {
      return await drawInThread(receipt);
    } catch (error) {
      throw error instanceof ThreadEnded ? receiptsBusy(error) : error;
    }
  }

  async function drawInThread(receipt: Receipt): Promise<Buffer> {
    thread ??= startThread(heapMb(), () => {
      thread = undefined;
    });
    const worker = thread;
    worker.ref();
    try {
      const drawn = await answerOf(worker, receipt);
      if ('error' in drawn) throw new Error(drawn.error);
      return Buffer.from(drawn.content);
    } finally {
      worker.unref();
    }
  }

  async function drawInTurn(owner: string, receipt: Receipt): Promise<Buffer> {
    if (waiting.of(owner) >= MOST_OF_OWNER || waiting.inAll() >= MOST_WAITING) throw receiptsBusy();
    const end = waiting.begin(owner);
    try {
      return await inTurn(owner, () => draw(receipt));
    } finally {
      end();
    }
  }
  return Object.assign(drawInTurn, {
    async close() {
      await thread?.terminate();
    },
  });
}

/** No answer came, and none will. */
class ThreadEnded extends Error {}

/** @throws ThreadEnded where the machine has nothing left for a thread */
function startThread(maxOldGenerationSizeMb: number, onEnd: () => void): Worker {
  const worker = openThread(maxOldGenerationSizeMb);
  worker.once('exit', onEnd);
  // The caller that waits for an answer gets the error; without a listener it would end the process.
  worker.on('error', () => undefined);
  return worker;
}

function openThread(maxOldGenerationSizeMb: number): Worker {
  try {
    return new Worker(new URL('./draw-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb },
      // Options of this process, such as its own heap, are not the thread's; types are stripped there as here.
      execArgv: [],
    });
  } catch (cause) {
    throw new ThreadEnded('no thread starts for receipts', { cause });
  }
}

/** `receipt-MNL….pdf`, of any reference. */
export const fileNameOf = ({ reference, isTest }: Pick<Receipt, 'reference' | 'isTest'>): string =>
  `${isTest ? 'test-' : ''}receipt-${reference.replaceAll(/[^\w.-]/g, '_')}.pdf`;

/**
 * A thread that takes too long is ended; the next receipt gets another.
 * @throws ThreadEnded where no answer comes; AppError 503 `RECEIPTS_BUSY` where it takes too long
 */
function answerOf(worker: Worker, receipt: Receipt): Promise<Drawn> {
  const { promise, resolve, reject } = Promise.withResolvers<Drawn>();
  let isTooSlow = false;
  // An error is followed by the end, after which there is place for another thread.
  let cause: unknown;
  const fail = (error: unknown): void => {
    cause = error;
  };
  const end = (): void =>
    reject(
      isTooSlow
        ? receiptsBusy(new Error('a receipt takes too long'))
        : new ThreadEnded('no receipt came of the thread', { cause }),
    );
  const timer = setTimeout(() => {
    isTooSlow = true;
    void worker.terminate();
  }, MAX_DRAWING_MS);
  worker.once('message', resolve).once('error', fail).once('exit', end);
  worker.postMessage(receipt);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', fail).off('exit', end);
  });
}
