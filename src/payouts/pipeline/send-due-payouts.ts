import type { WorkSource } from '../../platform/jobs/worker.ts';
import type { PayoutDeps } from '../deps.ts';
import { queryPayout, sendPayout } from './call-payout.ts';
import type { ClaimedPayout } from './claim-payouts.ts';
import { createFairSlots, type FairSlots } from './fair-slots.ts';
import { fireSchedule } from './fire-schedule.ts';
import { giveBackAfterError } from './give-back.ts';
import { duePayouts } from './lanes.ts';
import { failuresOfPayouts } from './payout-delays.ts';

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
