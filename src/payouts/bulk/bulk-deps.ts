import type { PayoutDeps } from '../deps.ts';
import { type BatchPlans, createBatchPlans } from './dispatch/plan-batch.ts';
import { type BatchRepeats, createBatchRepeats } from './repeats/batch-repeats.ts';
import { createTurns } from './turns.ts';

export interface BulkDeps extends PayoutDeps {
  inTurn: ReturnType<typeof createTurns>;
  plans: BatchPlans;
  repeats: BatchRepeats;
}

/** What the commands on batches of one process share. */
export function createBulkDeps(deps: PayoutDeps): BulkDeps {
  return { ...deps, inTurn: createTurns(), plans: createBatchPlans(), repeats: createBatchRepeats(deps) };
}
