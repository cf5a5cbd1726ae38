import type { Database } from '../../platform/db/database.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { PayoutRecord } from '../queries.ts';
import { readKnown } from './outcome-facts.ts';
import { listProposals, listSaid, type ProposalRow, type SaidRow } from './queries.ts';

/** More of either nobody reads; a payout that is asked about every hour for weeks says the same again and again. */
const MOST = 200;

export interface OutcomeEvidenceRead {
  payout: PayoutRecord;
  /** In the order that it was said. */
  said: SaidRow[];
  /** Newest first, decided ones among them. */
  proposals: ProposalRow[];
  /** More became known since the open proposal was made: confirming it will be refused. */
  isOvertaken: boolean;
}

/**
 * All that is known of a payout at one moment, for the people who decide what became of it.
 * @throws AppError 404 `PAYOUT_NOT_FOUND`.
 */
export async function readOutcomeEvidence(
  database: Database,
  tenant: Tenant,
  payoutId: string,
): Promise<OutcomeEvidenceRead> {
  const key = [tenant.merchantId, tenant.mode, payoutId];
  const [{ payout, digest }, said, proposals] = await database.snapshot((queries) =>
    Promise.all([
      readKnown(queries, tenant, payoutId),
      queries.query(listSaid, [...key, MOST]),
      queries.query(listProposals, [...key, MOST]),
    ]),
  );
  const isOvertaken = proposals.some(({ status, facts_digest }) => status === 'PENDING' && facts_digest !== digest);
  return { payout, said: said.reverse(), proposals, isOvertaken };
}
