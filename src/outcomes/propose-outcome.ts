import { noteOf, reasonOf, requireOperator } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, violatedUnique } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { outcomeAlreadyProposed, proposalDecided, proposalNotFound } from './errors.ts';
import {
  findProposal,
  insertProposal,
  listOpenProposals,
  type OutcomeEvidence,
  type ProposedOutcome,
  updateProposalDecided,
} from './queries.ts';
import { readKnown, requireUndecided, setStale } from './read-outcomes.ts';

export const PROPOSED_OUTCOMES: readonly ProposedOutcome[] = ['SUCCEEDED', 'FAILED', 'REVERSED'];

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
  /** What was seen, where, and who said it. */
  note: string;
  /** Who proposes: an operator's person that has signed in. */
  personId: string;
}

/**
 * Says what became of a payout that has no outcome, for a second person to confirm. Nothing moves. The proposal holds
 * for what is known now; an open one that was overtaken becomes stale.
 * @returns with the id what the second person confirms: the digest of all that is proposed.
 * @throws AppError 400 for a note that says too little; 403 `OPERATOR_NOT_FOUND`; 404 `PAYOUT_NOT_FOUND`; 409
 *   `PAYOUT_NOT_UNDECIDED` or `OUTCOME_ALREADY_PROPOSED`.
 */
export async function proposeOutcome(
  deps: { database: Database; clock: Clock },
  { tenant, payoutId, outcome, source, note: given, personId }: NewProposal,
): Promise<{ proposalId: string; digest: string }> {
  const note = noteOf(given);
  const { database, clock } = deps;
  await requireOperator(database, personId);
  const { payout, digest } = await readKnown(database, tenant, payoutId);
  requireUndecided(payout, outcome);
  const key = [[tenant.merchantId], [tenant.mode], [payoutId]];
  for (const open of await database.query(listOpenProposals, key)) {
    if (open.facts_digest === digest) throw outcomeAlreadyProposed();
    await setStale(deps, tenant, open.id);
  }
  const proposalId = newId();
  const proposal = [tenant.merchantId, tenant.mode, proposalId, payoutId, outcome, source, note, digest, personId];
  try {
    const [proposed] = await database.query(insertProposal, [...proposal, clock.now()]);
    return { proposalId, digest: proposed?.digest ?? '' };
  } catch (error) {
    if (violatedUnique(error) === 'outcome_proposals_one_open') throw outcomeAlreadyProposed();
    throw error;
  }
}

/**
 * Turns a proposal down, or takes one's own back; it stays in the history. The payout is asked about as before.
 * @throws AppError 400 without a reason; 403 `OPERATOR_NOT_FOUND`; 404 `OUTCOME_PROPOSAL_NOT_FOUND`; 409
 *   `OUTCOME_PROPOSAL_DECIDED`.
 */
export async function rejectProposal(
  { database, clock }: { database: Database; clock: Clock },
  input: { tenant: Tenant; proposalId: string; reason: string; personId: string },
): Promise<void> {
  const reason = reasonOf(input.reason);
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
