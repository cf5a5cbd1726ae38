import type { Database } from '../../platform/db/database.ts';
import type { EvidenceParts } from '../../transactions/index.ts';
import { findPayout, listAttempts } from '../queries.ts';
import { attemptView, nameEnquiryView, railsView } from '../views.ts';
import { findItemNames } from './queries.ts';

/**
 * What is known of a payout besides its transaction: who the bank said the account belongs to when it was accepted,
 * which rail has it, and in order every call, notice, settlement line and operator's decision.
 */
export function payoutEvidence(database: Database): EvidenceParts {
  return async (tenant, transaction) => {
    if (transaction.category !== 'PAYOUT') return {};
    const key = [tenant.merchantId, tenant.mode, transaction.id];
    const [[payout], [names], attempts] = await Promise.all([
      database.query(findPayout, key),
      database.query(findItemNames, key),
      database.query(listAttempts, key),
    ]);
    if (payout === undefined) return {};
    return {
      nameEnquiry: nameEnquiryView(payout, names),
      ...railsView(payout),
      attempts: attempts.map(attemptView),
    };
  };
}
