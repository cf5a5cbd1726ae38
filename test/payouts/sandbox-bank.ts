import type { PayoutDeps, PayoutRecord } from '../../src/payouts/index.ts';
import { sentTransferOf } from '../../src/payouts/rails.ts';
import { NOTHING_REPORTED, type RailAnswer, type RailCaller } from '../../src/rails/index.ts';
import { findTransfer } from '../../src/rails/sandbox/queries.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import type { PayoutFixture } from './payout-fixture.ts';
import { answerOf, reportOf } from './scripted-rail.ts';

/** A payment that the bank returns after a while, by its own script. */
export const RETURNS = { 'x-sandbox-scenario': 'late-reversal' };

/** What the sandbox's bank says of a payout, under the session that its own book has: any other is another transfer's. */
export async function bankAnswer(
  { database }: Pick<PayoutDeps, 'database'>,
  payout: PayoutRecord,
  said: Pick<RailAnswer, 'outcome' | 'reason'>,
): Promise<RailAnswer> {
  const { merchant_id, mode, rail_reference } = payout;
  const [transfer] = await database.query(findTransfer, [merchant_id, mode, rail_reference]);
  if (transfer === undefined) throw new Error('the bank has no such transfer');
  return { ...answerOf(said, reportOf(sentTransferOf(payout))), sessionId: transfer.session_id };
}

/** A fixture whose worker takes in no webhooks of the bank. */
export const withoutWebhooks = (fixture: PayoutFixture): PayoutFixture => ({
  ...fixture,
  worker: createPayoutWorker(fixture.deps),
});

/** A rail that does what it is asked; while `isLost`, the answers of its sends are lost on their way to us. */
export function losingAnswers(caller: RailCaller, isLost: () => boolean): RailCaller {
  const nothing = { outcome: 'unknown', reason: 'RAIL_TIMEOUT', code: null, sessionId: null } as const;
  const send: RailCaller['send'] = async (...asked) => {
    const answer = await caller.send(...asked);
    return isLost() ? { ...answer, ...nothing, reported: NOTHING_REPORTED } : answer;
  };
  return { ...caller, send };
}
