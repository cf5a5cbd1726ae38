import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { updateProposalDecided } from './queries.ts';

const OVERTAKEN = 'OVERTAKEN';

/** An open proposal whose payout is no longer what it was made for. Nobody decided it: the facts did. */
export async function markStale(
  { database, clock }: { database: Database; clock: Clock },
  tenant: Tenant,
  proposalId: string,
): Promise<void> {
  const key = [tenant.merchantId, tenant.mode, proposalId];
  await database.query(updateProposalDecided, [...key, 'STALE', OVERTAKEN, null, clock.now()]);
}
