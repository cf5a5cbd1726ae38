import { reasonOf, requireOperator } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, violatedUnique } from '../platform/db/database.ts';
import type { Statement } from '../platform/db/statement.ts';
import type { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { outcomeAlreadyProposed, proposalDecided, proposalNotFound, proposalStale } from './errors.ts';
import type { OutcomeEvidence } from './proposal-queries.ts';

/** The statements for proposals of payouts, or of refunds. */
interface Proposals {
  insert: Statement<{ digest: string | null }>;
  find: Statement<{ status: string }>;
  listOpen: Statement<{ id: string; facts_digest: string }>;
  updateDecided: Statement<{ id: string }>;
}

interface Deps {
  database: Database;
  clock: Clock;
}

const OVERTAKEN = 'OVERTAKEN';

/** Ends an open proposal whose subject has changed since it was made. Nobody decided it: the facts did. */
async function setStale(
  { database, clock }: Deps,
  proposals: Pick<Proposals, 'updateDecided'>,
  { tenant, proposalId }: { tenant: Tenant; proposalId: string },
): Promise<void> {
  const key = [tenant.merchantId, tenant.mode, proposalId];
  await database.query(proposals.updateDecided, [...key, 'STALE', OVERTAKEN, null, clock.now()]);
}

/** The refusal for a late decision: another person decided the proposal, or it is void from now on. */
export async function overtaken(
  deps: Deps,
  proposals: Pick<Proposals, 'find' | 'updateDecided'>,
  proposal: { tenant: Tenant; proposalId: string },
): Promise<AppError> {
  await setStale(deps, proposals, proposal);
  const { tenant, proposalId } = proposal;
  const [now] = await deps.database.query(proposals.find, [tenant.merchantId, tenant.mode, proposalId]);
  return now?.status === 'STALE' ? proposalStale() : proposalDecided(now?.status);
}

/**
 * Keeps one person's proposal for a second one to confirm. An open proposal that was made on other facts becomes stale.
 * @returns the id, and the digest of all that is proposed, which the second person confirms.
 * @throws AppError 409 `OUTCOME_ALREADY_PROPOSED`.
 */
export async function keepProposal(
  deps: Deps,
  proposals: Proposals,
  said: {
    tenant: Tenant;
    subjectId: string;
    outcome: string;
    source: OutcomeEvidence;
    note: string;
    factsDigest: string;
    personId: string;
  },
): Promise<{ proposalId: string; digest: string }> {
  const { database, clock } = deps;
  const { tenant, subjectId, outcome, source, note, factsDigest, personId } = said;
  const key = [[tenant.merchantId], [tenant.mode], [subjectId]];
  for (const open of await database.query(proposals.listOpen, key)) {
    if (open.facts_digest === factsDigest) throw outcomeAlreadyProposed();
    await setStale(deps, proposals, { tenant, proposalId: open.id });
  }
  const proposalId = newId();
  const row = [tenant.merchantId, tenant.mode, proposalId, subjectId, outcome, source, note, factsDigest, personId];
  try {
    const [proposed] = await database.query(proposals.insert, [...row, clock.now()]);
    return { proposalId, digest: proposed?.digest ?? '' };
  } catch (error) {
    if (violatedUnique(error)?.endsWith('outcome_proposals_one_open') === true) throw outcomeAlreadyProposed();
    throw error;
  }
}

/**
 * Rejects a proposal, or withdraws it, as its maker; it stays in the history. Its subject is asked about as before.
 * @throws AppError 400 without a reason; 403 `OPERATOR_NOT_FOUND`; 404 `OUTCOME_PROPOSAL_NOT_FOUND`; 409
 *   `OUTCOME_PROPOSAL_DECIDED`.
 */
export async function rejectProposalOf(
  { database, clock }: Deps,
  proposals: Pick<Proposals, 'find' | 'updateDecided'>,
  input: { tenant: Tenant; proposalId: string; reason: string; personId: string },
): Promise<void> {
  const reason = reasonOf(input.reason);
  await requireOperator(database, input.personId);
  const key = [input.tenant.merchantId, input.tenant.mode, input.proposalId];
  const decision = ['REJECTED', reason, input.personId, clock.now()];
  if ((await database.query(proposals.updateDecided, [...key, ...decision])).length > 0) return;
  const [proposal] = await database.query(proposals.find, key);
  if (proposal === undefined) throw proposalNotFound();
  throw proposalDecided(proposal.status);
}
