import { dueBatches, dueChunks } from './batches/index.ts';
import { sendDuePayouts } from './payout-delivery/index.ts';
import type { NewPayoutLeases, PayoutDeps, WorkerOfPayouts } from './payouts/index.ts';
import { createWorker, type Worker, type WorkerOptions } from './platform/jobs/worker.ts';

export interface PayoutWorker extends Worker {
  /** For requests that make payouts. */
  newLeases: NewPayoutLeases;
}

/** Moves payouts and batches on: fires, sends, queries, validates, expands, concludes. */
export function createPayoutWorker(deps: PayoutDeps, options?: WorkerOptions): PayoutWorker {
  const payouts = sendDuePayouts(deps);
  const { newLeases } = payouts;
  return { ...createWorker(deps, [payouts, dueBatches(deps), dueChunks(deps, newLeases)], options), newLeases };
}

/** For those who are made before it, and use it only once it is. */
export function workerLater(worker: () => PayoutWorker): WorkerOfPayouts {
  return {
    wake: (source) => worker().wake(source),
    newLeases: { reserveOne: (tenant) => worker().newLeases.reserveOne(tenant) },
  };
}
