import { dueBatches, dueChunks } from './batches/index.ts';
import { sendDuePayouts } from './payout-delivery/index.ts';
import type { PayoutDeps } from './payouts/index.ts';
import { createWorker, type Worker, type WorkerOptions } from './platform/jobs/worker.ts';

/** Moves payouts and batches on: fires, sends, queries, validates, expands, concludes. */
export function createPayoutWorker(deps: PayoutDeps, options?: WorkerOptions): Worker {
  const payouts = sendDuePayouts(deps);
  return createWorker(deps, [payouts, dueBatches(deps), dueChunks(deps, payouts.newLeases)], options);
}
