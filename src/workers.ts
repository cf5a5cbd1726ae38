import { dueBatches, dueChunks, type PayoutDeps, sendDuePayouts } from './payouts/index.ts';
import { createWorker, type Worker, type WorkerOptions } from './platform/jobs/worker.ts';

/** Moves payouts and batches on: fires, sends, queries, validates, expands, concludes. */
export function createPayoutWorker(deps: PayoutDeps, options?: WorkerOptions): Worker {
  return createWorker(deps, [sendDuePayouts(deps), dueBatches(deps), dueChunks(deps)], options);
}
