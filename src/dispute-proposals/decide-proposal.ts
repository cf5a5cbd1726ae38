import {
  type DecidedParts,
  type DisputeDeps,
  disputeEnded,
  endByHand,
  openByHand,
  requireDispute,
} from '../disputes/index.ts';
import { reasonOf, requireAsProposed, requireOperator, requireSecondPerson } from '../people/index.ts';
import { write } from '../platform/db/statement.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import {
  disputeAlreadyOpen,
  disputeAskedOfProvider,
  disputeProposalAltered,
  disputeProposalDecided,
  disputeProposalNotFound,
  disputeProposalYours,
} from './errors.ts';
import { outcomesFor } from './propose-dispute.ts';
import {
  type DisputeAction,
  type DisputeProposalRead,
  type DisputeProposalRow,
  disputeProposalStates,
  findDisputeProposal,
  updateDisputeProposalRejected,
  updateDisputeProposalsConfirmed,
} from './queries.ts';

interface OfPerson {
  tenant: Tenant;
  proposalId: string;
  personId: string;
}

/**
 * Confirms a proposal, as a second person: the dispute is opened or ended like any other, in one movement with the
 * proposal.
 *
 * A caller that does not know the outcome may repeat it: a proposal that was confirmed is refused with
 * `DISPUTE_PROPOSAL_DECIDED`.
 * @param input `digest` is of the proposal as the second person saw it.
 * @throws AppError 403 `SECOND_PERSON_NEEDED`, `SECOND_PERSON_TOO_NEW` or `OPERATOR_NOT_FOUND`; 404
 *   `DISPUTE_PROPOSAL_NOT_FOUND`; 409 `DISPUTE_PROPOSAL_DECIDED`, `DISPUTE_PROPOSAL_ALTERED`, `DISPUTE_ALREADY_OPEN` or
 *   `DISPUTE_NOT_OPEN`, or 422 `DISPUTE_ASKED_OF_PROVIDER`, after which the proposal can only be rejected; 503 of the ledger.
 */
export async function confirmDisputeProposal(
  deps: DisputeDeps,
  { tenant, proposalId, digest, personId }: OfPerson & { digest: string },
): Promise<{ disputeId: string; action: DisputeAction }> {
  const proposal = await requireProposal(deps, { tenant, proposalId });
  await requireSecondPerson(deps, proposal, { personId, yours: disputeProposalYours });
  if (proposal.status !== 'PENDING') throw disputeProposalDecided(proposal.status);
  requireAsProposed(deps, proposal, {
    seen: digest,
    about: { proposalId, disputeId: proposal.dispute_id },
    message: 'a proposal about a dispute is not what was proposed',
    altered: disputeProposalAltered,
  });
  const { dispute_id: disputeId, action } = proposal;
  const decided = confirmation(deps, proposal, personId);
  const isDone = action === 'OPEN' ? await open(deps, proposal, decided) : await end(deps, proposal, action, decided);
  if (!isDone) throw await overtaken(deps, proposal);
  return { disputeId, action };
}

const open = (deps: DisputeDeps, proposal: DisputeProposalRow, decided: DecidedParts): Promise<boolean> =>
  openByHand(
    deps,
    {
      tenant: tenantOf(proposal),
      disputeId: proposal.dispute_id,
      paymentId: proposal.payment_id,
      rail: proposal.rail,
      providerDisputeId: proposal.provider_dispute_id,
      amountMinor: proposal.amount_minor,
      category: proposal.category,
      message: proposal.message,
      dueAt: proposal.due_at,
    },
    decided,
  );

async function end(
  deps: DisputeDeps,
  proposal: DisputeProposalRow,
  action: Exclude<DisputeAction, 'OPEN'>,
  decided: DecidedParts,
): Promise<boolean> {
  const row = await requireDispute(deps.database, tenantOf(proposal), proposal.dispute_id);
  // The provider may say what is understood by now, and what it says counts.
  if (!(await outcomesFor(deps, row)).includes(action)) {
    if (row.ended_at === null) throw disputeAskedOfProvider();
    return false;
  }
  return endByHand(deps, { row, amountMinor: proposal.amount_minor }, action, decided);
}

/** The refusal for a late decision: another person confirmed the proposal, or what it says happened in another way. */
async function overtaken(deps: DisputeDeps, { id, dispute_id, ...proposal }: DisputeProposalRow): Promise<Error> {
  const tenant = tenantOf(proposal);
  const now = await requireProposal(deps, { tenant, proposalId: id });
  if (now.status !== 'PENDING') return disputeProposalDecided(now.status);
  if (proposal.action === 'OPEN') return disputeAlreadyOpen();
  return disputeEnded((await requireDispute(deps.database, tenant, dispute_id)).status);
}

/**
 * Turns a proposal down, or takes one's own back; it stays in the history, and its dispute may be proposed anew.
 * @throws AppError 400 without a reason; 403 `OPERATOR_NOT_FOUND`; 404 `DISPUTE_PROPOSAL_NOT_FOUND`; 409
 *   `DISPUTE_PROPOSAL_DECIDED`.
 */
export async function rejectDisputeProposal(
  deps: Pick<DisputeDeps, 'database' | 'clock'>,
  input: OfPerson & { reason: string },
): Promise<void> {
  const reason = reasonOf(input.reason);
  await requireOperator(deps.database, input.personId);
  const key = [input.tenant.merchantId, input.tenant.mode, input.proposalId];
  const decision = [reason, input.personId, deps.clock.now()];
  if ((await deps.database.query(updateDisputeProposalRejected, [...key, ...decision])).length > 0) return;
  throw disputeProposalDecided((await requireProposal(deps, input)).status);
}

async function requireProposal(
  { database }: Pick<DisputeDeps, 'database'>,
  { tenant, proposalId }: Pick<OfPerson, 'tenant' | 'proposalId'>,
): Promise<DisputeProposalRead> {
  const [proposal] = await database.query(findDisputeProposal, [tenant.merchantId, tenant.mode, proposalId]);
  if (proposal === undefined) throw disputeProposalNotFound();
  return proposal;
}

function confirmation(
  { clock }: Pick<DisputeDeps, 'clock'>,
  { merchant_id, mode, id }: DisputeProposalRow,
  personId: string,
): DecidedParts {
  const decided = { merchant_id, mode, id, decided_by: personId, decided_at: clock.now() };
  return {
    transitions: [
      {
        machine: disputeProposalStates,
        id,
        from: ['PENDING'],
        to: 'CONFIRMED',
        reason: null,
        refusal: disputeProposalDecided,
      },
    ],
    writes: [write(updateDisputeProposalsConfirmed, decided)],
  };
}
