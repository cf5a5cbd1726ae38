import { attemptView, findPayout, listAttempts, nameEnquiryView, railsView } from '../payouts/index.ts';
import type { EvidenceParts } from '../transactions/index.ts';
import { findItemNames } from './queries.ts';

/**
 * What is known of a payout besides its transaction: who the bank said the account belongs to when it was accepted,
 * which rail has it, and in order every call, provider webhook, settlement line and operator's decision.
 */
export const payoutEvidence: EvidenceParts = async (queries, tenant, transaction) => {
  if (transaction.category !== 'PAYOUT') return {};
  const key = [tenant.merchantId, tenant.mode, transaction.id];
  const [[payout], [names], attempts] = await Promise.all([
    queries.query(findPayout, key),
    queries.query(findItemNames, key),
    queries.query(listAttempts, key),
  ]);
  if (payout === undefined) return {};
  return {
    nameEnquiry: nameEnquiryView(payout, names),
    ...railsView(payout),
    attempts: attempts.map(attemptView),
  };
};
