import type { Database } from '../../platform/db/database.ts';
import type { ListRequest } from '../../platform/lists/list.ts';
import { type FoundList, readList } from '../../platform/lists/read-list.ts';
import {
  listLastWords,
  listOpenProposals,
  type OpenPayoutRow,
  outcomeList,
  type ProposalRead,
  planReport,
} from './queries.ts';

export interface OutcomeQueueEntry {
  payout: OpenPayoutRow;
  /** What a rail named last, in whichever answer: with these two the bank finds the transfer. */
  lastCode: string | null;
  lastSessionId: string | null;
  /** What one person proposed and another has not confirmed yet. */
  proposal: ProposalRead | undefined;
}

/**
 * What people have to decide, whoever's it is, what waits longest first: payouts that were put before the operator, or
 * with `all` every one that was sent and has no outcome yet. One whose outcome stays unknown leaves the list when it ends;
 * one about which a rail contradicts itself, when the operator has decided.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function readOutcomeQueue(
  database: Database,
  { all }: { all: boolean },
  request: ListRequest,
): Promise<FoundList<OutcomeQueueEntry>> {
  return database.snapshot(async (queries) => {
    if (all) await queries.query(planReport);
    const { rows, wrapper } = await readList(queries, outcomeList({ all }), request);
    const keys = [rows.map(({ merchant_id }) => merchant_id), rows.map(({ mode }) => mode), rows.map(({ id }) => id)];
    const [open, words] = await Promise.all([
      queries.query(listOpenProposals, keys),
      queries.query(listLastWords, keys),
    ]);
    const proposals = new Map(open.map((proposal) => [proposal.payout_id, proposal]));
    const said = new Map(words.map((word) => [word.payout_id, word]));
    const entries = rows.map((payout) => ({
      payout,
      lastCode: said.get(payout.id)?.code ?? null,
      lastSessionId: said.get(payout.id)?.session_id ?? null,
      proposal: proposals.get(payout.id),
    }));
    return { rows: entries, wrapper };
  });
}
