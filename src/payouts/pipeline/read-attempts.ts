import type { Database } from '../../platform/db/database.ts';
import type { EvidenceParts } from '../../transactions/index.ts';
import { listAttempts } from '../queries.ts';
import { attemptView } from '../views.ts';

/** Every call to the rail about a payout, in order, for its evidence. */
export function payoutEvidence(database: Database): EvidenceParts {
  return async (tenant, transaction) => {
    if (transaction.category !== 'PAYOUT') return {};
    const attempts = await database.query(listAttempts, [tenant.merchantId, tenant.mode, transaction.id]);
    return { attempts: attempts.map(attemptView) };
  };
}
