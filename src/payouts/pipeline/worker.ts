import { createLookLoop } from '../../platform/jobs/look-loop.ts';
import { dueChunks } from '../bulk/dispatch/open-chunks.ts';
import { dueBatches } from '../bulk/handle-due-batches.ts';
import type { PayoutDeps } from '../deps.ts';
import { queryPayout, sendPayout } from './call-payout.ts';
import type { ClaimedPayout } from './claim-payouts.ts';
import { createFairSlots, type FairSlots } from './fair-slots.ts';
import { fireSchedule } from './fire-schedule.ts';
import { giveBackAfterError } from './give-back.ts';
import { duePayouts } from './lanes.ts';
import { failuresOfPayouts } from './payout-delays.ts';
import { createScheduledJobs, type ScheduledJob } from './scheduled-jobs.ts';
import type { WorkSource } from './work-source.ts';

/** Between two looks at the database, where nothing wakes the worker before. */
const POLL_MS = 250;

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
  scheduledJobs?: readonly ScheduledJob[];
}

/**
 * Moves payouts and batches on: fires, sends, asks, validates, opens, concludes. The rows are the queue, and a claim in
 * the row says whose turn it is, so any number of workers in any number of processes may run.
 */
export function createPayoutWorker(deps: PayoutDeps, options: PayoutWorkerOptions = {}): PayoutWorker {
  const pollMs = options.pollMs ?? POLL_MS;
  const slots = createFairSlots();
  const sources = [duePayouts(deps, (claimed) => takeStep(deps, claimed, slots)), dueBatches(deps), dueChunks(deps)];
  const scheduledJobs = createScheduledJobs(options.scheduledJobs ?? [], deps);
  const loops = sources.map((source) => createLookLoop(() => lookAt(deps, source), pollMs));

  const each = async (work: (source: WorkSource) => Promise<void>) => {
    await Promise.all(sources.map(work));
  };
  const takenUp = () => sources.reduce((sum, source) => sum + source.taken(), 0);

  return {
    start() {
      for (const loop of loops) loop.start();
      scheduledJobs.start();
    },
    wake() {
      for (const loop of loops) loop.wake();
    },
    async stop() {
      for (const source of sources) source.close();
      slots.close();
      await Promise.all([...loops.map((loop) => loop.stop()), scheduledJobs.stop()]);
      await each((source) => source.settle());
    },
    async runOnce() {
      const begun = takenUp();
      let done = 0;
      for (;;) {
        const before = takenUp();
        await each((source) => source.look());
        const some = await scheduledJobs.runAll();
        await each((source) => source.settle());
        if (takenUp() === before && some === 0) return takenUp() - begun + done;
        done += some;
      }
    },
  };
}

/** Never rejects: where it could not look, it looks again. */
async function lookAt(deps: PayoutDeps, source: WorkSource): Promise<void> {
  const failures = deps.jobs.failuresOf('payouts.look');
  if (failures.isBackingOff(source.name)) return;
  try {
    await source.look();
    failures.succeeded(source.name);
  } catch (error) {
    const about = { message: 'the payout worker could not look for work', source: source.name };
    failures.failed(source.name, error, about);
  }
}

/** Never rejects: a step that failed is taken again. */
async function takeStep(deps: PayoutDeps, claimed: ClaimedPayout, slots: FairSlots): Promise<void> {
  const payoutId = claimed.payout.id;
  try {
    await takeStepOf(deps, claimed, slots);
    failuresOfPayouts(deps).succeeded(payoutId);
  } catch (error) {
    await giveBackAfterError(deps, claimed, error).catch((again: unknown) => {
      // The claim runs out: nothing is lost, it only takes longer.
      deps.logger.warn({ err: again, payoutId }, 'a payout could not be given back');
    });
  }
}

async function takeStepOf(deps: PayoutDeps, claimed: ClaimedPayout, slots: FairSlots): Promise<void> {
  switch (claimed.step) {
    case 'FIRE':
      return fireSchedule(deps, claimed);
    case 'SEND':
      return sendPayout(deps, claimed, slots);
    case 'QUERY':
      return queryPayout(deps, claimed, slots);
  }
}
