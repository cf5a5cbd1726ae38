import type { Transition } from '../ledger/index.ts';
import {
  keepProposal,
  type OutcomeEvidence,
  overtaken,
  proposalAltered,
  proposalDecided,
  proposalNotFound,
  rejectProposalOf,
  secondPersonNeeded,
} from '../outcomes/index.ts';
import { noteOf, requireAsProposed, requireOperator, requireSecondPerson } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { decideRefund, type RefundDeps, type RefundRow, refundMovedOn, takeForOperator } from '../refunds/index.ts';
import { refundInHand } from './errors.ts';
import { type RefundDecision, type RefundProposal, refundProposals } from './queries.ts';
import { readKnownRefund, requireUndecidedRefund, SAID } from './read-refund-outcomes.ts';

/**
 * Says what became of a refund whose provider does not say it, for a second person to confirm. Nothing moves. The proposal
 * holds for what is known now.
 * @throws AppError 400 for a note that says too little; 403 `OPERATOR_NOT_FOUND`; 404 `REFUND_NOT_FOUND`; 409
 *   `REFUND_NOT_UNDECIDED` or `OUTCOME_ALREADY_PROPOSED`.
 */
export async function proposeRefundOutcome(
  deps: { database: Database; clock: Clock },
  input: {
    tenant: Tenant;
    refundId: string;
    outcome: RefundDecision;
    source: OutcomeEvidence;
    note: string;
    personId: string;
  },
): Promise<{ proposalId: string; digest: string }> {
  const { tenant, refundId, outcome, source, personId } = input;
  const note = noteOf(input.note);
  await requireOperator(deps.database, personId);
  const { refund, digest } = await readKnownRefund(deps.database, tenant, refundId);
  requireUndecidedRefund(refund, outcome);
  const said = { tenant, outcome, source, note, personId };
  return keepProposal(deps, refundProposals, { ...said, subjectId: refundId, factsDigest: digest });
}

/** As `rejectProposalOf`, of a refund. */
export function rejectRefundOutcome(
  deps: { database: Database; clock: Clock },
  input: { tenant: Tenant; proposalId: string; reason: string; personId: string },
): Promise<void> {
  return rejectProposalOf(deps, refundProposals, input);
}

/**
 * The second person's yes: the proposal is confirmed and its outcome becomes books in one movement, the same as if the
 * provider had said so. While it decides, no worker may take the refund up. One that a worker has in hand, or about which
 * anything became known since the proposal, is not decided.
 * @param input `digest` is of the proposal as the second person saw it.
 * @throws AppError 403 `SECOND_PERSON_NEEDED`, `SECOND_PERSON_TOO_NEW` or `OPERATOR_NOT_FOUND`; 404
 *   `OUTCOME_PROPOSAL_NOT_FOUND`; 409 `OUTCOME_PROPOSAL_DECIDED`, `OUTCOME_PROPOSAL_STALE` (and it is void from then on),
 *   `OUTCOME_PROPOSAL_ALTERED` or `REFUND_IN_HAND`.
 */
export async function confirmRefundOutcome(
  deps: RefundDeps,
  { tenant, proposalId, digest, personId }: { tenant: Tenant; proposalId: string; digest: string; personId: string },
): Promise<{ refundId: string; outcome: RefundDecision }> {
  const [proposal] = await deps.database.query(refundProposals.find, [tenant.merchantId, tenant.mode, proposalId]);
  if (proposal === undefined) throw proposalNotFound();
  await requireSecondPerson(deps, proposal, { personId, yours: secondPersonNeeded });
  if (proposal.status !== 'PENDING') throw proposalDecided(proposal.status);
  requireAsProposed(deps, proposal, {
    seen: digest,
    about: { proposalId: proposal.id, refundId: proposal.refund_id },
    message: 'a proposed outcome of a refund is not what was proposed',
    altered: proposalAltered,
  });
  const letGo = await takeForOperator(deps, await requireUnchanged(deps, proposal));
  if (letGo === undefined) {
    // Somebody has it, or it ended just now.
    await requireUnchanged(deps, proposal);
    throw refundInHand();
  }
  try {
    await decide(deps, proposal, personId);
  } catch (error) {
    await letGo();
    throw error;
  }
  return { refundId: proposal.refund_id, outcome: decisionOf(proposal) };
}

async function decide(deps: RefundDeps, proposal: RefundProposal, personId: string): Promise<void> {
  const refund = await requireUnchanged(deps, proposal);
  try {
    await decideRefund(deps, refund, {
      outcome: SAID[decisionOf(proposal)],
      note: `${proposal.source}: ${proposal.note}`,
      parts: confirmation(deps, proposal, personId),
      async confirm(tx) {
        const { merchant_id, mode, id } = proposal;
        const decided = [merchant_id, mode, id, 'CONFIRMED', null, personId, deps.clock.now()];
        if ((await tx.query(refundProposals.updateDecided, decided)).length === 0) throw proposalDecided(undefined);
        // What the provider said since the books were read: whoever keeps it now waits for this.
        const { digest } = await readKnownRefund(tx, tenantOf(proposal), proposal.refund_id);
        if (digest !== proposal.facts_digest) throw refundMovedOn(refund.status);
      },
    });
  } catch (error) {
    const isOvertaken = error instanceof AppError && error.code === refundMovedOn(undefined).code;
    throw isOvertaken ? await overtakenBy(deps, proposal) : error;
  }
}

function decisionOf({ id, outcome }: RefundProposal): RefundDecision {
  if (outcome === 'REVERSED') throw new Error(`proposal ${id} of a refund says REVERSED`);
  return outcome;
}

async function requireUnchanged(deps: RefundDeps, proposal: RefundProposal): Promise<RefundRow> {
  const { refund, digest } = await readKnownRefund(deps.database, tenantOf(proposal), proposal.refund_id);
  if (digest !== proposal.facts_digest) throw await overtakenBy(deps, proposal);
  return refund;
}

const overtakenBy = (deps: RefundDeps, proposal: RefundProposal): Promise<AppError> =>
  overtaken(deps, refundProposals, { tenant: tenantOf(proposal), proposalId: proposal.id });

function confirmation(
  deps: RefundDeps,
  { merchant_id, mode, id }: RefundProposal,
  personId: string,
): { transitions: Transition[]; writes: Write[] } {
  const row = { merchant_id, mode, id, decided_by: personId, decided_at: deps.clock.now() };
  return {
    transitions: [
      {
        machine: refundProposals.states,
        id,
        from: ['PENDING'],
        to: 'CONFIRMED',
        reason: null,
        refusal: proposalDecided,
      },
    ],
    writes: [write(refundProposals.updateConfirmed, row)],
  };
}
