import type { PayoutDeps } from '../payouts/index.ts';
import type { WorkSource } from '../platform/jobs/worker.ts';
import { createTenantTurns } from '../platform/queues/tenant-turns.ts';
import { type Mode, type Tenant, tenantKey } from '../platform/tenant.ts';
import { queryPayout, sendPayout } from './call-payout.ts';
import { type ClaimedPayout, claimPayouts, claimPayoutsWithCare } from './claim-payouts.ts';
import { createFairSlots, type FairSlots } from './fair-slots.ts';
import { fireSchedule } from './fire-schedule.ts';
import { createClaimKeeper } from './lease-keeper.ts';
import { failuresOfPayouts } from './payout-delays.ts';
import { listTenantsWithDuePayouts } from './queries.ts';
import { giveBackAfterError } from './release-payout.ts';

/** Payouts of one tenant in hand for each call that its rail takes at once: the next are ready when a slot is free. */
const IN_HAND_PER_SLOT = 8;
const IN_HAND_MIN = 512;
const IN_HAND_MAX = 2_048;
/** Payouts of all tenants of a mode in this worker's hands. Each is a few kilobytes. */
const TOTAL_IN_HAND = 4_096;
/** What any tenant may have in hand, however many others there are. */
const SHARE_MIN = 8;
/** Claims under way at once: each takes a connection. */
const CLAIMS_AT_ONCE = { LIVE: 3, SANDBOX: 2 };
/** The part of a lane that has to be free before more is claimed: a claim for one payout costs as much as the payout. */
const REFILL_PART = 2;

/** What the payouts of one mode may have in this worker's hands: sandbox uses nothing up that is live's. */
interface Hands {
  total: number;
  share: number;
}

/** What one tenant has in this worker's hands. */
interface Lane {
  tenant: Tenant;
  hands: Hands;
  inHand: number;
  /** Set when more is claimed, from the rail's slots and how many tenants have work. */
  room: number;
  claiming: boolean;
  /** The last claim was full: there is probably more. */
  more: boolean;
}

/**
 * The payouts that are due, tenants in turn: claims them and has `take` see to each, and keeps the claims alive until it
 * has. `take` never rejects.
 */
export function duePayouts(deps: PayoutDeps, take: (claimed: ClaimedPayout) => Promise<void>): WorkSource {
  const lanes = new Map<string, Lane>();
  const hands: Record<Mode, Hands> = { LIVE: openHands(), SANDBOX: openHands() };
  const failures = deps.jobs.failuresOf('payouts.claim');
  const turns = createTenantTurns<Tenant>({
    failures,
    slots: CLAIMS_AT_ONCE,
    tenantOf: (tenant) => tenant,
    keyOf: tenantKey,
    take: (tenant) => fill(laneOf(tenant)),
    aboutOf: failedAbout,
  });
  const keeper = createClaimKeeper(deps);
  const running = new Set<Promise<unknown>>();
  let closed = false;
  let claimed = 0;

  async function fill(lane: Lane): Promise<void> {
    if (lane.claiming) return;
    lane.claiming = true;
    try {
      lane.room = Math.min(await roomOf(deps, lane.tenant), lane.hands.share);
      for (;;) {
        const free = freeOf(lane);
        lane.more = true;
        if (closed || !isWorthIt(lane)) return;
        // Of who could not be claimed for at once, each is looked at alone.
        const claim = failures.hasFailed(tenantKey(lane.tenant)) ? claimPayoutsWithCare : claimPayouts;
        const found = await claim(deps, lane.tenant, free);
        lane.more = found.length === free;
        claimed += found.length;
        for (const one of found) begin(lane, one);
        if (!lane.more) return;
      }
    } finally {
      lane.claiming = false;
    }
  }

  function begin(lane: Lane, one: ClaimedPayout): void {
    lane.hands.total += 1;
    lane.inHand += 1;
    keeper.keep(one);
    const work = take(one).finally(() => {
      lane.hands.total -= 1;
      lane.inHand -= 1;
      keeper.release(one);
      running.delete(work);
      if (!closed && !lane.claiming && lane.more && isWorthIt(lane)) refill(lane);
    });
    running.add(work);
  }

  function refill(lane: Lane): void {
    const key = tenantKey(lane.tenant);
    if (failures.hasFailed(key)) return;
    const work = fill(lane)
      .catch((error: unknown) => void failures.failed(key, error, failedAbout(lane.tenant)))
      .finally(() => running.delete(work));
    running.add(work);
  }

  function laneOf(tenant: Tenant): Lane {
    const key = tenantKey(tenant);
    const known = lanes.get(key);
    if (known !== undefined) return known;
    const made = { tenant, hands: hands[tenant.mode], inHand: 0, room: SHARE_MIN, claiming: false, more: true };
    lanes.set(key, made);
    return made;
  }

  return {
    name: 'payouts',
    async look() {
      const due = await deps.database.query(listTenantsWithDuePayouts, [deps.clock.now()]);
      const tenants = due.map(({ merchant_id: merchantId, mode }) => ({ merchantId, mode }));
      shareOut(lanes, hands, tenants);
      turns.offer(tenants);
    },
    taken: () => claimed,
    async settle() {
      await turns.settle();
      while (running.size > 0) await Promise.all(running);
    },
    close() {
      closed = true;
      turns.close();
    },
  };
}

/** How many more it may take now. Everybody may have a little, also where the whole is full. */
function freeOf({ hands, inHand, room }: Lane): number {
  const left = Math.max(TOTAL_IN_HAND - hands.total, SHARE_MIN - inHand);
  return Math.min(room - inHand, left);
}

/** Worth a claim: whoever has nothing in hand takes what there is. */
function isWorthIt(lane: Lane): boolean {
  return freeOf(lane) >= (lane.inHand === 0 ? 1 : Math.ceil(lane.room / REFILL_PART));
}

/** By how many tenants the hands of each mode are shared. Forgets lanes that have come to rest. */
function shareOut(lanes: Map<string, Lane>, hands: Record<Mode, Hands>, due: readonly Tenant[]): void {
  for (const [key, lane] of lanes) if (lane.inHand === 0 && !lane.claiming) lanes.delete(key);
  const all = [...due, ...Array.from(lanes.values(), (lane) => lane.tenant)];
  for (const [mode, some] of Map.groupBy(all, (tenant) => tenant.mode)) {
    hands[mode].share = Math.max(SHARE_MIN, Math.floor(TOTAL_IN_HAND / new Set(some.map(tenantKey)).size));
  }
}

function openHands(): Hands {
  return { total: 0, share: IN_HAND_MAX };
}

async function roomOf(deps: PayoutDeps, tenant: Tenant): Promise<number> {
  const [rail] = await deps.rails.listRails(tenant);
  return Math.min(Math.max((rail?.concurrency ?? 0) * IN_HAND_PER_SLOT, IN_HAND_MIN), IN_HAND_MAX);
}

const failedAbout = (tenant: Tenant) => ({ message: 'payouts could not be claimed', ...tenant });

/** Takes the next step of each payout that is due: fires a schedule, sends, or queries its rail. */
export function sendDuePayouts(deps: PayoutDeps): WorkSource {
  const slots = createFairSlots();
  const source = duePayouts(deps, (claimed) => takeStep(deps, claimed, slots));
  return {
    ...source,
    close() {
      source.close();
      slots.close();
    },
  };
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
