import type { PayoutDeps } from '../payouts/index.ts';
import { createOwnerQueue, type OwnerQueue } from '../platform/owner-queue.ts';
import { type BatchRepeats, createBatchRepeats } from './check-repeats.ts';
import { type BatchPlans, createBatchPlans } from './plan-batch.ts';

export interface BatchDeps extends PayoutDeps {
  /** By batch, so that changes of one in this process never collide. */
  inTurn: OwnerQueue;
  plans: BatchPlans;
  repeats: BatchRepeats;
}

/** What the commands on batches of one process share. */
export function createBatchDeps(deps: PayoutDeps): BatchDeps {
  return {
    ...deps,
    inTurn: createOwnerQueue(),
    plans: createBatchPlans(deps.clock),
    repeats: createBatchRepeats(deps),
  };
}
