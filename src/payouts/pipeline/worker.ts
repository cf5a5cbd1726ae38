import type { Tenant } from '../../platform/tenant.ts';
import { beginDueBatches } from '../bulk/handle-due-batches.ts';
import type { PayoutDeps } from '../deps.ts';
import { listTenantsWithDuePayouts } from '../queries.ts';
import { queryPayout, sendPayout } from './call-payout.ts';
import { type ClaimedPayout, claimPayouts } from './claim-payouts.ts';
import { fireSchedule } from './fire-schedule.ts';

/** Between two looks at the database, where nothing wakes the worker before. */
const POLL_MS = 250;
/** Payouts of one tenant in this worker's hands: as many as the rail takes at once, so that none waits in a lease. */
const TENANT_CONCURRENCY = 32;
/** Payouts of all tenants in this worker's hands. */
const TOTAL_CONCURRENCY = 256;
/** Free places of a tenant before more are claimed: one claim for one payout would cost as much as the payout. */
const REFILL_AT = 8;
/** Batches in this worker's hands. */
const BATCH_CONCURRENCY = 4;

export interface PayoutWorker {
  /** Looks for work until stopped. */
  start(): void;
  /** Takes nothing more and waits for the calls under way. */
  stop(): Promise<void>;
  /** Looks now, if it was started: for whoever just committed work. */
  wake(): void;
  /** Does all that is due and returns how many payouts and batches it took up. For tests and for one-off runs. */
  runOnce(): Promise<number>;
}

export interface PayoutWorkerOptions {
  pollMs?: number;
}

/** What one tenant has in this worker's hands. */
interface Lane {
  running: Set<Promise<void>>;
  claiming: boolean;
  /** The last claim was full: there is probably more. */
  more: boolean;
}

/**
 * Moves payouts and batches on: fires, sends, asks, validates, concludes. The rows are the queue, and a lease in the
 * row says whose turn it is, so any number of workers in any number of processes may run.
 */
export function createPayoutWorker(deps: PayoutDeps, options: PayoutWorkerOptions = {}): PayoutWorker {
  const pollMs = options.pollMs ?? POLL_MS;
  const payouts = createPayoutLanes(deps);
  const batches = new Set<Promise<void>>();
  let started = false;
  let stopping = false;
  let looking: Promise<number> | undefined;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<number> {
    const [claimed, begun] = await Promise.all([
      payouts.claimDue(),
      beginDueBatches(deps, BATCH_CONCURRENCY - batches.size, () => !stopping),
    ]);
    for (const work of begun) {
      batches.add(work);
      void work.finally(() => batches.delete(work));
    }
    return claimed + begun.length;
  }

  async function settle(): Promise<void> {
    await Promise.all([payouts.settle(), ...batches]);
  }

  /** One look at a time; woken during one, it looks again. */
  function lookSoon(): void {
    clearTimeout(timer);
    if (stopping) return;
    if (looking !== undefined) {
      again = true;
      return;
    }
    again = false;
    looking = look().catch((error: unknown) => {
      deps.logger.error({ err: error }, 'the payout worker could not look for work');
      return 0;
    });
    void looking.then(() => {
      looking = undefined;
      if (stopping) return;
      if (again) lookSoon();
      else timer = setTimeout(lookSoon, pollMs);
    });
  }

  return {
    start() {
      started = true;
      lookSoon();
    },
    wake() {
      if (started) lookSoon();
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      payouts.close();
      await looking;
      await settle();
    },
    async runOnce() {
      let total = 0;
      for (;;) {
        const taken = await look();
        await settle();
        if (taken === 0) return total;
        total += taken;
      }
    },
  };
}

function createPayoutLanes(deps: PayoutDeps) {
  const lanes = new Map<string, Lane>();
  let closed = false;
  let total = 0;

  async function fill(tenant: Tenant, lane: Lane): Promise<number> {
    if (lane.claiming) return 0;
    lane.claiming = true;
    let claimed = 0;
    try {
      for (;;) {
        const free = Math.min(TENANT_CONCURRENCY - lane.running.size, TOTAL_CONCURRENCY - total);
        lane.more = true;
        if (closed || free < 1) return claimed;
        const found = await claimPayouts(deps, tenant, free);
        lane.more = found.length === free;
        claimed += found.length;
        for (const one of found) begin(tenant, lane, one);
        if (!lane.more) return claimed;
      }
    } finally {
      lane.claiming = false;
    }
  }

  function begin(tenant: Tenant, lane: Lane, claimed: ClaimedPayout): void {
    total += 1;
    const work = takeStep(deps, claimed)
      // The lease runs out and the payout is taken up again: nothing is lost, it only takes longer.
      .catch((error: unknown) => deps.logger.error({ err: error, payoutId: claimed.payout.id }, 'a payout step failed'))
      .finally(() => {
        total -= 1;
        lane.running.delete(work);
        const room = TENANT_CONCURRENCY - lane.running.size >= REFILL_AT;
        if (lane.more && room && !closed) refill(tenant, lane);
      });
    lane.running.add(work);
  }

  function refill(tenant: Tenant, lane: Lane): void {
    fill(tenant, lane).catch((error: unknown) => deps.logger.error({ err: error }, 'payouts could not be claimed'));
  }

  function laneOf({ merchantId, mode }: Tenant): Lane {
    const key = `${merchantId}/${mode}`;
    const lane = lanes.get(key) ?? { running: new Set(), claiming: false, more: false };
    lanes.set(key, lane);
    return lane;
  }

  return {
    async claimDue(): Promise<number> {
      for (const [key, lane] of lanes) if (lane.running.size === 0 && !lane.claiming) lanes.delete(key);
      const tenants = await deps.database.query(listTenantsWithDuePayouts, [deps.clock.now()]);
      const claims = tenants.map(async ({ merchant_id: merchantId, mode }) => {
        const tenant: Tenant = { merchantId, mode };
        return fill(tenant, laneOf(tenant));
      });
      return (await Promise.all(claims)).reduce((sum, claimed) => sum + claimed, 0);
    },
    async settle(): Promise<void> {
      for (;;) {
        const running = [...lanes.values()].flatMap((lane) => [...lane.running]);
        if (running.length > 0) await Promise.all(running);
        else if ([...lanes.values()].some((lane) => lane.claiming))
          await new Promise((resolve) => setImmediate(resolve));
        else return;
      }
    },
    close(): void {
      closed = true;
    },
  };
}

function takeStep(deps: PayoutDeps, claimed: ClaimedPayout): Promise<void> {
  switch (claimed.step) {
    case 'FIRE':
      return fireSchedule(deps, claimed);
    case 'SEND':
      return sendPayout(deps, claimed);
    case 'QUERY':
      return queryPayout(deps, claimed);
  }
}
