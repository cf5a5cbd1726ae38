import type { RailAnswer } from '../../rails/index.ts';
import type { PayoutDeps } from '../deps.ts';
import { putBeforeOperator } from '../pipeline/operator-queue.ts';
import { keepEvidence } from '../pipeline/outcome-source.ts';
import type { PayoutRecord } from '../queries.ts';

/**
 * Keeps what a rail's file says against an end that we told, or of a payout that another rail has, and puts the payout
 * before the operator. Nothing moves: if money is lost, no books can say whose.
 */
export async function noteContradiction(
  deps: PayoutDeps,
  payout: PayoutRecord,
  { rail, answer, note }: { rail: string; answer: RailAnswer; note: string },
): Promise<void> {
  const word = { rail, answer, source: { kind: 'SETTLEMENT', note } } as const;
  // First, so that a contradiction that is kept is one that people look into.
  await putBeforeOperator(deps, payout, 'RAIL_CONTRADICTS');
  await keepEvidence(deps.database, payout, word, deps.clock.now());
  deps.logger.error(
    { payoutId: payout.id, status: payout.status, rail, hasIt: payout.rail, outcome: answer.outcome },
    'a settlement file contradicts what is in the books',
  );
}
