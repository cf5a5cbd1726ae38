import { requireOperator } from '../../people/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { proposalDecided, proposalNotFound } from './errors.ts';
import { findProposal, updateProposalDecided } from './queries.ts';

const MAX_REASON_LENGTH = 1_000;

/**
 * Turns a proposal down, or takes one's own back; it stays in the history. The payout is asked about as before.
 * @throws AppError 400 without a reason; 403 `OPERATOR_NOT_FOUND`; 404 `OUTCOME_PROPOSAL_NOT_FOUND`; 409
 *   `OUTCOME_PROPOSAL_DECIDED`.
 */
export async function rejectProposal(
  { database, clock }: { database: Database; clock: Clock },
  input: { tenant: Tenant; proposalId: string; reason: string; personId: string },
): Promise<void> {
  const reason = input.reason.trim();
  if (reason === '' || reason.length > MAX_REASON_LENGTH) throw invalidField('reason', 'must say why');
  await requireOperator(database, input.personId);
  const key = [input.tenant.merchantId, input.tenant.mode, input.proposalId];
  const rejected = await database.query(updateProposalDecided, [
    ...key,
    'REJECTED',
    reason,
    input.personId,
    clock.now(),
  ]);
  if (rejected.length > 0) return;
  const [proposal] = await database.query(findProposal, key);
  if (proposal === undefined) throw proposalNotFound();
  throw proposalDecided(proposal.status);
}
