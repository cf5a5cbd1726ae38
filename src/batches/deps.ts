import type { PayoutDeps } from '../payouts/index.ts';
import { createOwnerQueue, type OwnerQueue } from '../platform/owner-queue.ts';
import { type BatchRepeats, createBatchRepeats } from './check-repeats.ts';
import { type BatchPlans, createBatchPlans } from './plan-batch.ts';

export interface BatchDeps extends PayoutDeps {
  /** One change at a time for each batch, so that changes of one batch in this process do not collide. */
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
