import type { Database } from '../../platform/db/database.ts';
import { listPayoutsForOperator } from '../pipeline/operator-queue.ts';
import {
  listLastWords,
  listOpenProposals,
  listUndecidedPayouts,
  type OpenPayoutRow,
  type ProposalRow,
  planReport,
} from './queries.ts';

export interface OutcomeQueueEntry {
  payout: OpenPayoutRow;
  /** What a rail named last, in whichever answer: with these two the bank finds the transfer. */
  lastCode: string | null;
  lastSessionId: string | null;
  /** What one person proposed and another has not confirmed yet. */
  proposal: ProposalRow | undefined;
}

/**
 * What people have to decide, whoever's it is, what waits longest first: payouts that were put before the operator, or
 * with `all` every one that was sent and has no outcome yet.
 */
export async function readOutcomeQueue(
  database: Database,
  { all, offset, limit }: { all: boolean; offset: number; limit: number },
): Promise<OutcomeQueueEntry[]> {
  const payouts: OpenPayoutRow[] = all
    ? await database.transaction(async (tx) => {
        await tx.query(planReport);
        return tx.query(listUndecidedPayouts, [offset, limit]);
      })
    : await listPayoutsForOperator(database, { offset, limit });
  const keys = [
    payouts.map(({ merchant_id }) => merchant_id),
    payouts.map(({ mode }) => mode),
    payouts.map(({ id }) => id),
  ];
  const [open, words] = await Promise.all([
    database.query(listOpenProposals, keys),
    database.query(listLastWords, keys),
  ]);
  const proposals = new Map(open.map((proposal) => [proposal.payout_id, proposal]));
  const said = new Map(words.map((word) => [word.payout_id, word]));
  return payouts.map((payout) => ({
    payout,
    lastCode: said.get(payout.id)?.code ?? null,
    lastSessionId: said.get(payout.id)?.session_id ?? null,
    proposal: proposals.get(payout.id),
  }));
}
