import { openDueChunks } from '../bulk/dispatch/open-chunks.ts';
import { beginDueBatches } from '../bulk/handle-due-batches.ts';
import type { PayoutDeps } from '../deps.ts';
import { queryPayout, sendPayout } from './call-payout.ts';
import { createChores, type WorkerChore } from './chores.ts';
import type { ClaimedPayout } from './claim-payouts.ts';
import { createFairSlots, type FairSlots } from './fair-slots.ts';
import { fireSchedule } from './fire-schedule.ts';
import { giveBackAfterError } from './give-back.ts';
import { createPayoutLanes } from './lanes.ts';

/** Between two looks at the database, where nothing wakes the worker before. */
const POLL_MS = 250;
/** Between being woken and looking: what is committed in the same moment is claimed together. */
const WAKE_MS = 5;
/** Batches in this worker's hands. */
const BATCH_CONCURRENCY = 4;
/** Chunks of dispatched batches that this worker opens at once, of different merchants. */
const CHUNK_CONCURRENCY = 2;

export interface PayoutWorker {
  /** Looks for work until stopped. */
  start(): void;
  /** Takes nothing more, lets go of what has not been sent, and waits for the calls under way. */
  stop(): Promise<void>;
  /** Looks now, if it was started: for whoever just committed work. */
  wake(): void;
  /** Does all that is due and returns how much it took up. For tests and for one-off runs. */
  runOnce(): Promise<number>;
}

export interface PayoutWorkerOptions {
  pollMs?: number;
  /** What else is to be done from time to time. */
  chores?: readonly WorkerChore[];
}

/**
 * Moves payouts and batches on: fires, sends, asks, validates, concludes. The rows are the queue, and a claim in the
 * row says whose turn it is, so any number of workers in any number of processes may run.
 */
export function createPayoutWorker(deps: PayoutDeps, options: PayoutWorkerOptions = {}): PayoutWorker {
  const pollMs = options.pollMs ?? POLL_MS;
  const slots = createFairSlots();
  const payouts = createPayoutLanes(deps, (claimed) => takeStep(deps, claimed, slots));
  const chores = createChores(options.chores ?? [], deps.logger);
  const batches = new Set<Promise<void>>();
  const chunks = new Set<Promise<void>>();
  let started = false;
  let stopping = false;
  let looking: Promise<number> | undefined;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<number> {
    const [claimed, begun, opening] = await Promise.all([
      payouts.claimDue(),
      beginDueBatches(deps, BATCH_CONCURRENCY - batches.size, () => !stopping),
      openDueChunks(deps, CHUNK_CONCURRENCY - chunks.size, () => !stopping),
    ]);
    keepUntilDone(batches, begun);
    keepUntilDone(chunks, opening);
    return claimed + begun.length + opening.length;
  }

  async function settle(): Promise<void> {
    await Promise.all([payouts.settle(), ...batches, ...chunks]);
  }

  function lookIn(delayMs: number): void {
    clearTimeout(timer);
    if (!stopping) timer = setTimeout(lookSoon, delayMs);
  }

  /** One look at a time; woken during one, it looks again. */
  function lookSoon(): void {
    clearTimeout(timer);
    again = false;
    looking = look().catch((error: unknown) => {
      deps.logger.error({ err: error }, 'the payout worker could not look for work');
      return 0;
    });
    void looking.then(() => {
      looking = undefined;
      lookIn(again ? WAKE_MS : pollMs);
    });
  }

  return {
    start() {
      started = true;
      lookIn(0);
      chores.start();
    },
    wake() {
      if (!started) return;
      if (looking === undefined) lookIn(WAKE_MS);
      else again = true;
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      payouts.close();
      slots.close();
      await Promise.all([looking, chores.stop()]);
      await settle();
    },
    async runOnce() {
      let total = 0;
      for (;;) {
        const taken = (await look()) + (await chores.runAll());
        await settle();
        if (taken === 0) return total;
        total += taken;
      }
    },
  };
}

function keepUntilDone(running: Set<Promise<void>>, begun: readonly Promise<void>[]): void {
  for (const work of begun) {
    running.add(work);
    void work.finally(() => running.delete(work));
  }
}

/** Never rejects: a step that failed is taken again. */
async function takeStep(deps: PayoutDeps, claimed: ClaimedPayout, slots: FairSlots): Promise<void> {
  try {
    switch (claimed.step) {
      case 'FIRE':
        return await fireSchedule(deps, claimed);
      case 'SEND':
        return await sendPayout(deps, claimed, slots);
      case 'QUERY':
        return await queryPayout(deps, claimed, slots);
    }
  } catch (error) {
    const payoutId = claimed.payout.id;
    deps.logger.error({ err: error, payoutId }, 'a payout step failed');
    await giveBackAfterError(deps, claimed).catch((again: unknown) => {
      // The claim runs out: nothing is lost, it only takes longer.
      deps.logger.warn({ err: again, payoutId }, 'a payout could not be given back');
    });
  }
}
