import type { PayoutRecord } from '../payouts/index.ts';
import { tenantKey, tenantOf } from '../platform/tenant.ts';
import type { RailCaller } from '../rails/index.ts';

/** Calls at once to a rail that does not say how many it takes. */
const DEFAULT_SLOTS = 32;

type Asker = Pick<PayoutRecord, 'merchant_id' | 'mode' | 'batch_id'>;

/** The worker stopped while this work waited for a slot. */
export class SlotsClosedError extends Error {}

export interface FairSlots {
  /**
   * Runs `work` when it has a slot at this rail: tenants by turns, and of one tenant singles before items of batches.
   * The slot is free again as soon as the work ends.
   * @throws SlotsClosedError when the worker stops before.
   */
  use<T>(rail: RailCaller, payout: Asker, work: () => Promise<T>): Promise<T>;
  /** No work begins after this. */
  close(): void;
}

interface Waiting {
  begin: () => void;
  refuse: (error: Error) => void;
}

interface RailSlots {
  busy: number;
  slots: number;
  /** By tenant, the one whose turn it is first. */
  waiting: Map<string, { singles: Waiting[]; items: Waiting[] }>;
}

/**
 * A rail takes so many calls at once. Its own queue is first come, first served, and one merchant's hundred thousand
 * payouts would delay everybody else there. So they wait here, and that queue stays empty.
 */
export function createFairSlots(): FairSlots {
  const rails = new Map<string, RailSlots>();
  let closed = false;

  function slotsOf(key: string, rail: RailCaller): RailSlots {
    const known = rails.get(key);
    if (known !== undefined) return known;
    const made = { busy: 0, slots: rail.concurrency ?? DEFAULT_SLOTS, waiting: new Map() };
    rails.set(key, made);
    return made;
  }

  return {
    async use(rail, payout, work) {
      if (closed) throw new SlotsClosedError();
      const tenant = tenantKey(tenantOf(payout));
      const key = rail.isolatesTenants === true ? `${rail.name}/${tenant}` : `${rail.name}/${payout.mode}`;
      const slots = slotsOf(key, rail);
      if (slots.busy < slots.slots) slots.busy += 1;
      else await turn(slots, tenant, payout.batch_id === null);
      try {
        return await work();
      } finally {
        // The slot goes directly to the next one that waits, so that no new caller overtakes it.
        const next = takeNext(slots);
        if (next !== undefined) next.begin();
        else slots.busy -= 1;
        if (slots.busy === 0) rails.delete(key);
      }
    },
    close() {
      closed = true;
      for (const { waiting } of rails.values()) {
        for (const { singles, items } of waiting.values()) {
          for (const { refuse } of [...singles, ...items]) refuse(new SlotsClosedError());
        }
        waiting.clear();
      }
    },
  };
}

function turn(slots: RailSlots, tenant: string, single: boolean): Promise<void> {
  return new Promise((begin, refuse) => {
    const queues = slots.waiting.get(tenant) ?? { singles: [], items: [] };
    slots.waiting.set(tenant, queues);
    (single ? queues.singles : queues.items).push({ begin, refuse });
  });
}

function takeNext(slots: RailSlots): Waiting | undefined {
  const [first] = slots.waiting;
  if (first === undefined) return undefined;
  const [tenant, queues] = first;
  const next = queues.singles.shift() ?? queues.items.shift();
  // Moves the tenant to the end of the queue, where it has more work.
  slots.waiting.delete(tenant);
  if (queues.singles.length + queues.items.length > 0) slots.waiting.set(tenant, queues);
  return next;
}
