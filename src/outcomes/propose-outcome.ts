import { noteOf, requireOperator } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { keepProposal, rejectProposalOf } from './keep-proposal.ts';
import type { OutcomeEvidence } from './proposal-queries.ts';
import { type ProposedOutcome, payoutProposals } from './queries.ts';
import { readKnown, requireUndecided } from './read-outcomes.ts';

export const OUTCOME_SOURCES: readonly OutcomeEvidence[] = [
  'BANK_LETTER',
  'RAIL_DASHBOARD',
  'SETTLEMENT_FILE',
  'RAIL_SUPPORT',
  'OTHER',
];

interface NewProposal {
  tenant: Tenant;
  payoutId: string;
  outcome: ProposedOutcome;
  source: OutcomeEvidence;
  /** What was seen, where, and who reported it. */
  note: string;
  /** The person who proposes, one of the operator's people. */
  personId: string;
}

/**
 * Proposes the outcome of a payout that has none, for a second person to confirm. Nothing moves. The proposal is valid
 * for what is known now; an open one that was made on other facts becomes stale.
 * @returns the id, and the digest of all that is proposed, which the second person confirms.
 * @throws AppError 400 for a note that says too little; 403 `OPERATOR_NOT_FOUND`; 404 `PAYOUT_NOT_FOUND`; 409
 *   `PAYOUT_NOT_UNDECIDED` or `OUTCOME_ALREADY_PROPOSED`.
 */
export async function proposeOutcome(
  deps: { database: Database; clock: Clock },
  { tenant, payoutId, outcome, source, note: given, personId }: NewProposal,
): Promise<{ proposalId: string; digest: string }> {
  const note = noteOf(given);
  const { database } = deps;
  await requireOperator(database, personId);
  const { payout, digest } = await readKnown(database, tenant, payoutId);
  requireUndecided(payout, outcome);
  return keepProposal(deps, payoutProposals, {
    ...{ tenant, outcome, source, note, personId },
    subjectId: payoutId,
    factsDigest: digest,
  });
}

/**
 * Rejects a proposal, or withdraws it, as its maker; it stays in the history. The payout is asked about as before.
 * @throws AppError 400 without a reason; 403 `OPERATOR_NOT_FOUND`; 404 `OUTCOME_PROPOSAL_NOT_FOUND`; 409
 *   `OUTCOME_PROPOSAL_DECIDED`.
 */
export async function rejectProposal(
  deps: { database: Database; clock: Clock },
  input: { tenant: Tenant; proposalId: string; reason: string; personId: string },
): Promise<void> {
  await rejectProposalOf(deps, payoutProposals, input);
}
