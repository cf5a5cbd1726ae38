import type { Transition } from '../ledger/index.ts';
import { applyOutcome, keepEvidence, updatePayoutLeased, updatePayoutReleased } from '../payout-delivery/index.ts';
import { keepContradiction, type PayoutDeps, type PayoutRecord } from '../payouts/index.ts';
import { requireAsProposed, requireSecondPerson } from '../people/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { NOTHING_REPORTED, type RailAnswer, type RailOutcome } from '../rails/index.ts';
import { isConclusive } from '../transactions/index.ts';
import {
  payoutInHand,
  proposalAltered,
  proposalDecided,
  proposalNotFound,
  proposalStale,
  secondPersonNeeded,
} from './errors.ts';
import { overtaken } from './keep-proposal.ts';
import {
  findProposal,
  type ProposalRow,
  type ProposedOutcome,
  payoutProposals,
  proposalStates,
  updateProposalDecided,
  updateProposalsConfirmed,
} from './queries.ts';
import { readKnown } from './read-outcomes.ts';

/** How long a payout is leased while people decide it; after a crash it is free again this late. */
const DECIDING_MS = 60_000;
/** A worker renews its leases much more often. For so long after one ran out, its call may still be at the rail. */
const WORKER_IS_DEAD_MS = 60_000;

const OUTCOMES: Record<ProposedOutcome, { outcome: RailOutcome; reason: string | null }> = {
  SUCCEEDED: { outcome: 'succeeded', reason: null },
  FAILED: { outcome: 'failed', reason: 'OPERATOR_DECIDED_FAILED' },
  REVERSED: { outcome: 'reversed', reason: 'OPERATOR_DECIDED_REVERSED' },
};

/**
 * Confirms a proposal, as a second person: its outcome is applied to the books in one movement, as if the rail had
 * reported it. Meanwhile no worker may lease the payout: a second send could overtake a failure. A payout that a worker
 * has in hand, or about which anything became known since the proposal, is not decided. `digest` is of the proposal as
 * the second person saw it.
 * @throws AppError 403 `SECOND_PERSON_NEEDED`, `SECOND_PERSON_TOO_NEW` or `OPERATOR_NOT_FOUND`; 404
 *   `OUTCOME_PROPOSAL_NOT_FOUND`; 409 `OUTCOME_PROPOSAL_DECIDED`, `OUTCOME_PROPOSAL_STALE` (and it is void from then on),
 *   `OUTCOME_PROPOSAL_ALTERED` or `PAYOUT_IN_HAND`.
 */
export async function confirmOutcome(
  deps: PayoutDeps,
  { tenant, proposalId, digest, personId }: { tenant: Tenant; proposalId: string; digest: string; personId: string },
): Promise<{ payoutId: string; outcome: ProposedOutcome }> {
  const { database } = deps;
  const [proposal] = await database.query(findProposal, [tenant.merchantId, tenant.mode, proposalId]);
  if (proposal === undefined) throw proposalNotFound();
  await requireSecondPerson(deps, proposal, { personId, yours: secondPersonNeeded });
  if (proposal.status !== 'PENDING') throw proposalDecided(proposal.status);
  requireAsProposed(deps, proposal, {
    seen: digest,
    about: { proposalId: proposal.id, payoutId: proposal.payout_id },
    message: 'a proposed outcome is not what was proposed',
    altered: proposalAltered,
  });
  const letGo = await leaseForOperator(deps, proposal);
  try {
    const payout = await requireUnchanged(deps, proposal);
    await applyOutcome(deps, payout, answerOf(deps, proposal), {
      kind: 'OPERATOR',
      note: `${proposal.source}: ${proposal.note}`,
      ...confirmation(deps, proposal, personId),
      confirm: (tx, now) => confirmThatItStands(tx, now, { deps, payout, proposal, personId }),
    });
  } catch (error) {
    await letGo();
    const isStale = error instanceof AppError && error.code === proposalStale().code;
    throw isStale ? await overtakenBy(deps, proposal) : error;
  }
  return { payoutId: proposal.payout_id, outcome: proposal.outcome };
}

/** Two people looked into a rail's contradiction, and the end in the books stands: nothing moves. */
async function confirmThatItStands(
  tx: Queries,
  now: PayoutRecord,
  decision: { deps: PayoutDeps; payout: PayoutRecord; proposal: ProposalRow; personId: string },
): Promise<void> {
  const { deps, payout, proposal, personId } = decision;
  // What ended only since they looked is not what they decided about.
  if (!isConclusive(payout.status) || now.status !== payout.status) throw proposalStale();
  const { merchant_id, mode, id } = proposal;
  const decided = [merchant_id, mode, id, 'CONFIRMED', null, personId, deps.clock.now()];
  const confirmed = await tx.query(updateProposalDecided, decided);
  if (confirmed.length === 0) throw proposalStale();
  // What a rail said since the books were read: whoever keeps it now waits for this, and puts it before the operator.
  const { digest } = await readKnown(tx, tenantOf(proposal), proposal.payout_id);
  if (digest !== proposal.facts_digest) throw proposalStale();
}

async function requireUnchanged(deps: PayoutDeps, proposal: ProposalRow): Promise<PayoutRecord> {
  const { payout, digest } = await readKnown(deps.database, tenantOf(proposal), proposal.payout_id);
  if (digest !== proposal.facts_digest) throw await overtakenBy(deps, proposal);
  return payout;
}

const overtakenBy = (deps: PayoutDeps, proposal: ProposalRow): Promise<AppError> =>
  overtaken(deps, payoutProposals, { tenant: tenantOf(proposal), proposalId: proposal.id });

/** Keeps workers off an open payout, if none has it; returns a function that releases it unchanged. */
async function leaseForOperator(deps: PayoutDeps, proposal: ProposalRow): Promise<() => Promise<void>> {
  const payout = await requireUnchanged(deps, proposal);
  if (payout.status !== 'PROCESSING' && payout.status !== 'QUEUED') return async () => undefined;
  const { due_at: dueAt } = payout;
  const key = [payout.merchant_id, payout.mode, payout.id, newId()];
  const now = deps.clock.now().getTime();
  const until = new Date(now + DECIDING_MS);
  const taken = await deps.database.query(updatePayoutLeased, [
    ...key,
    until,
    dueAt,
    new Date(now - WORKER_IS_DEAD_MS),
  ]);
  if (taken.length === 0) {
    // A worker has it, or it ended just now.
    await requireUnchanged(deps, proposal);
    throw payoutInHand();
  }
  return async () => {
    await deps.database.query(updatePayoutReleased, [...key, dueAt]);
  };
}

function answerOf(deps: PayoutDeps, proposal: ProposalRow): RailAnswer {
  return {
    ...OUTCOMES[proposal.outcome],
    code: null,
    message: `The operator decided by ${proposal.source}: ${proposal.note}`,
    sessionId: null,
    at: deps.clock.now(),
    reported: NOTHING_REPORTED,
  };
}

function confirmation(
  deps: PayoutDeps,
  { merchant_id, mode, id }: ProposalRow,
  personId: string,
): { transitions: Transition[]; writes: Write[] } {
  const decided_at = deps.clock.now();
  return {
    transitions: [
      { machine: proposalStates, id, from: ['PENDING'], to: 'CONFIRMED', reason: null, refusal: proposalDecided },
    ],
    writes: [write(updateProposalsConfirmed, { merchant_id, mode, id, decided_by: personId, decided_at })],
  };
}

/**
 * Keeps what a rail's file says against an end that we reported, or about a payout that another rail has, and puts the
 * payout before the operator. Nothing moves: where money is lost, the books cannot say whose it is.
 */
export async function noteContradiction(
  deps: PayoutDeps,
  payout: PayoutRecord,
  { rail, answer, note }: { rail: string; answer: RailAnswer; note: string },
): Promise<void> {
  const response = { rail, answer, source: { kind: 'SETTLEMENT', note } } as const;
  await keepContradiction(deps, payout, () => keepEvidence(deps.database, payout, response, deps.clock.now()));
  deps.logger.error(
    { payoutId: payout.id, status: payout.status, rail, hasIt: payout.rail, outcome: answer.outcome },
    'a settlement file contradicts what is in the books',
  );
  deps.onAlarm?.({ alarm: 'RAIL_CONTRADICTS', mode: payout.mode, rail });
}
