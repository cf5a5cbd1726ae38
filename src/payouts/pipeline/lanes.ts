import type { Tenant } from '../../platform/tenant.ts';
import type { PayoutDeps } from '../deps.ts';
import { createClaimKeeper } from './claim-keeper.ts';
import { type ClaimedPayout, claimPayouts } from './claim-payouts.ts';
import { listTenantsWithDuePayouts } from './queries.ts';

/** Payouts of one tenant in hand for each call that its rail takes at once: the next are ready when a slot is free. */
const IN_HAND_PER_SLOT = 8;
const IN_HAND_MIN = 512;
const IN_HAND_MAX = 2_048;
/** Payouts of all tenants in this worker's hands. Each is a few kilobytes. */
const TOTAL_IN_HAND = 4_096;
/** What any tenant may have in hand, however many others there are. */
const SHARE_MIN = 8;
/** Claims under way at once: each takes a connection. */
const CLAIMS_AT_ONCE = 3;
/** The part of a lane that has to be free before more is claimed: a claim for one payout costs as much as the payout. */
const REFILL_PART = 2;

/** What one tenant has in this worker's hands. */
interface Lane {
  tenant: Tenant;
  inHand: number;
  /** Set when more is claimed, from the rail's slots and how many tenants have work. */
  room: number;
  claiming: boolean;
  /** The last claim was full: there is probably more. */
  more: boolean;
}

export interface PayoutLanes {
  /** Claims what is due, tenants in turn, and begins it. How many were claimed. */
  claimDue(): Promise<number>;
  /** Resolves when nothing is in hand and nothing is being claimed. */
  settle(): Promise<void>;
  /** Claims nothing more. */
  close(): void;
}

/** Claims due payouts and has `take` see to each; keeps the claims alive until it has. */
export function createPayoutLanes(deps: PayoutDeps, take: (claimed: ClaimedPayout) => Promise<void>): PayoutLanes {
  const lanes = new Map<string, Lane>();
  const keeper = createClaimKeeper(deps);
  const running = new Set<Promise<unknown>>();
  let closed = false;
  let total = 0;
  let share = IN_HAND_MAX;

  function track<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    const done = () => void running.delete(work);
    work.then(done, done);
    return work;
  }

  /** How many more it may take now. Everybody may have a little, also where the whole is full. */
  function freeOf(lane: Lane): number {
    const left = Math.max(TOTAL_IN_HAND - total, SHARE_MIN - lane.inHand);
    return Math.min(lane.room - lane.inHand, left);
  }

  /** Worth a claim: whoever has nothing in hand takes what there is. */
  const isWorthIt = (lane: Lane) => freeOf(lane) >= (lane.inHand === 0 ? 1 : Math.ceil(lane.room / REFILL_PART));

  async function fill(lane: Lane): Promise<number> {
    lane.claiming = true;
    let claimed = 0;
    try {
      lane.room = Math.min(await roomOf(deps, lane.tenant), share);
      for (;;) {
        const free = freeOf(lane);
        lane.more = true;
        if (closed || !isWorthIt(lane)) return claimed;
        const found = await claimPayouts(deps, lane.tenant, free);
        lane.more = found.length === free;
        claimed += found.length;
        for (const one of found) begin(lane, one);
        if (!lane.more) return claimed;
      }
    } finally {
      lane.claiming = false;
    }
  }

  function begin(lane: Lane, claimed: ClaimedPayout): void {
    total += 1;
    lane.inHand += 1;
    keeper.keep(claimed);
    const work = take(claimed).finally(() => {
      total -= 1;
      lane.inHand -= 1;
      keeper.release(claimed);
      if (!closed && !lane.claiming && lane.more && isWorthIt(lane)) refill(lane);
    });
    void track(work);
  }

  function refill(lane: Lane): void {
    void track(fill(lane).catch((error: unknown) => deps.logger.error({ err: error }, 'payouts could not be claimed')));
  }

  function laneOf({ merchantId, mode }: Tenant): Lane {
    const key = `${merchantId}/${mode}`;
    const known = lanes.get(key);
    // Whoever is looked at goes to the end of the line.
    lanes.delete(key);
    const lane = known ?? { tenant: { merchantId, mode }, inHand: 0, room: SHARE_MIN, claiming: false, more: true };
    lanes.set(key, lane);
    return lane;
  }

  return {
    async claimDue() {
      for (const [key, lane] of lanes) if (lane.inHand === 0 && !lane.claiming) lanes.delete(key);
      const due = await deps.database.query(listTenantsWithDuePayouts, [deps.clock.now()]);
      const tenants = due.map(({ merchant_id: merchantId, mode }) => ({ merchantId, mode }));
      share = Math.max(SHARE_MIN, Math.floor(TOTAL_IN_HAND / Math.max(tenants.length, lanes.size, 1)));
      const waiting = inTurn(tenants, lanes);
      let claimed = 0;
      const claimSome = async () => {
        for (let tenant = waiting.shift(); tenant !== undefined; tenant = waiting.shift()) {
          const lane = laneOf(tenant);
          if (!closed && !lane.claiming) claimed += await fill(lane);
        }
      };
      await Promise.all(Array.from({ length: CLAIMS_AT_ONCE }, claimSome));
      return claimed;
    },
    async settle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
    close() {
      closed = true;
    },
  };
}

async function roomOf(deps: PayoutDeps, tenant: Tenant): Promise<number> {
  const [rail] = await deps.rails.listRails(tenant);
  return Math.min(Math.max((rail?.concurrency ?? 0) * IN_HAND_PER_SLOT, IN_HAND_MIN), IN_HAND_MAX);
}

/** Who has nothing in hand goes first, then those whose turn was longest ago. */
function inTurn(tenants: readonly Tenant[], lanes: ReadonlyMap<string, Lane>): Tenant[] {
  const places = new Map([...lanes.keys()].map((key, at) => [key, at]));
  const placeOf = ({ merchantId, mode }: Tenant) => places.get(`${merchantId}/${mode}`) ?? -1;
  return tenants.toSorted((one, other) => placeOf(one) - placeOf(other));
}
