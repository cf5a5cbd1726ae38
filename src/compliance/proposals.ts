import { noteOf, reasonOf, requireAsProposed, requireOperator, requireSecondPerson } from '../people/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, type Queries, violatedUnique } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type CaseRow, findCase, updateCaseReleased } from './case-queries.ts';
import {
  caseNotFound,
  caseNotReleasable,
  complianceAlreadyProposed,
  complianceProposalAltered,
  complianceProposalDecided,
  complianceProposalNotFound,
  complianceProposalNotYours,
  complianceProposalYours,
  freezeOver,
} from './errors.ts';
import { updateFreezeLifted } from './freeze-queries.ts';
import { requireFreeze } from './freezes.ts';
import type { KnownFreezes } from './known-freezes.ts';
import {
  type ComplianceProposalRead,
  findComplianceProposal,
  insertComplianceProposal,
  updateComplianceProposalDecided,
} from './proposal-queries.ts';

export interface DecideComplianceDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
  knownFreezes: KnownFreezes;
  onAlarm?: OnAlarm | undefined;
}

interface Proposed {
  proposalId: string;
  digest: string;
}

/**
 * Says that a freeze is to be lifted, and why, for a second person to confirm. It is in force until then.
 * @throws AppError 400 `VALIDATION_FAILED`; 403 `OPERATOR_NOT_FOUND`; 404 `FREEZE_NOT_FOUND`; 409 `FREEZE_OVER`,
 *   `COMPLIANCE_ALREADY_PROPOSED`.
 */
export async function proposeLift(
  deps: Pick<DecideComplianceDeps, 'database' | 'clock'>,
  given: { freezeId: string; note: string; personId: string },
): Promise<Proposed> {
  const note = noteOf(given.note);
  await requireOperator(deps.database, given.personId);
  const freeze = await requireFreeze(deps.database, given.freezeId);
  const now = deps.clock.now();
  if (freeze.lifted_at !== null || (freeze.ends_at !== null && freeze.ends_at <= now)) throw freezeOver();
  return propose(deps, [freeze.mode, 'LIFT', freeze.id, null, null, note, given.personId, now]);
}

/**
 * Says that a payout that is held may go, and why. A payment is released, or returned, where money in suspense is decided;
 * what a freeze holds goes on once the freeze is lifted.
 * @throws AppError 400 `VALIDATION_FAILED`; 403 `OPERATOR_NOT_FOUND`; 404 `COMPLIANCE_CASE_NOT_FOUND`; 409
 *   `COMPLIANCE_CASE_NOT_RELEASABLE`, `COMPLIANCE_ALREADY_PROPOSED`.
 */
export async function proposeRelease(
  deps: Pick<DecideComplianceDeps, 'database' | 'clock'>,
  { tenant, ...given }: { tenant: Tenant; caseId: string; note: string; personId: string },
): Promise<Proposed> {
  const note = noteOf(given.note);
  await requireOperator(deps.database, given.personId);
  const found = requireReleasable(await requireCase(deps.database, tenant, given.caseId));
  const now = deps.clock.now();
  return propose(deps, [found.mode, 'RELEASE', null, found.merchant_id, found.id, note, given.personId, now]);
}

async function propose({ database }: Pick<DecideComplianceDeps, 'database'>, terms: unknown[]): Promise<Proposed> {
  const proposalId = newId();
  try {
    const [made] = await database.query(insertComplianceProposal, [proposalId, ...terms]);
    return { proposalId, digest: made?.digest ?? '' };
  } catch (error) {
    if (violatedUnique(error)?.startsWith('compliance_proposals_one_') === true) throw complianceAlreadyProposed();
    throw error;
  }
}

async function requireCase(queries: Queries, { merchantId, mode }: Tenant, caseId: string): Promise<CaseRow> {
  const [found] = await queries.query(findCase, [merchantId, mode, caseId]);
  if (found === undefined) throw caseNotFound();
  return found;
}

function requireReleasable(found: CaseRow): CaseRow {
  if (found.status !== 'OPEN') throw caseNotReleasable(`it is ${found.status}.`);
  if (found.subject_type === 'PAYMENT') throw caseNotReleasable('a payment is decided under money in.');
  if (found.reason === 'FROZEN') throw caseNotReleasable('lift the freeze that holds it.');
  return found;
}

/**
 * Confirms a proposal, as a second person. A caller that does not know the outcome may repeat it: a proposal that was
 * confirmed is refused with `COMPLIANCE_PROPOSAL_DECIDED`.
 * @param given `digest` is of the proposal as the second person saw it.
 * @throws AppError 403 `SECOND_PERSON_NEEDED`, `SECOND_PERSON_TOO_NEW`, `OPERATOR_NOT_FOUND`; 404
 *   `COMPLIANCE_PROPOSAL_NOT_FOUND`; 409 `COMPLIANCE_PROPOSAL_DECIDED`, `COMPLIANCE_PROPOSAL_ALTERED`, `FREEZE_OVER`,
 *   `COMPLIANCE_CASE_NOT_RELEASABLE`.
 */
export async function confirmCompliance(
  deps: DecideComplianceDeps,
  { proposalId, digest, personId }: { proposalId: string; digest: string; personId: string },
): Promise<Pick<ComplianceProposalRead, 'action' | 'freeze_id' | 'case_id'>> {
  const { database, clock, knownFreezes } = deps;
  const proposal = await requireProposal(database, proposalId);
  await requireSecondPerson(deps, proposal, { personId, yours: complianceProposalYours });
  if (proposal.status !== 'PENDING') throw complianceProposalDecided(proposal.status);
  requireAsProposed(deps, proposal, {
    seen: digest,
    about: { proposalId },
    message: 'a proposal of compliance is not what was proposed',
    altered: complianceProposalAltered,
  });
  const now = clock.now();
  await database.transaction(async (tx) => {
    const decided = await tx.query(updateComplianceProposalDecided, [proposalId, 'CONFIRMED', null, personId, now]);
    if (decided.length === 0) throw complianceProposalDecided('decided just now');
    await putIntoForce(tx, proposal, now);
  });
  knownFreezes.forget();
  return proposal;
}

/** With the decision, in one transaction: both or neither. */
async function putIntoForce(tx: Queries, proposal: ComplianceProposalRead, now: Date): Promise<void> {
  if (proposal.action === 'LIFT') {
    const lifted = await tx.query(updateFreezeLifted, [proposal.freeze_id, now, proposal.id]);
    if (lifted.length === 0) throw freezeOver();
    return;
  }
  const released = await tx.query(updateCaseReleased, [proposal.merchant_id, proposal.mode, proposal.case_id, now]);
  if (released.length === 0) throw caseNotReleasable('it is not open any more.');
}

/**
 * Rejects a proposal, as another person, or withdraws it, as its maker. It stays in the history.
 * @throws AppError 400 without a reason; 403 `OPERATOR_NOT_FOUND`, `SECOND_PERSON_NEEDED`, `NOT_THE_MAKER`; 404
 *   `COMPLIANCE_PROPOSAL_NOT_FOUND`; 409 `COMPLIANCE_PROPOSAL_DECIDED`.
 */
export async function closeCompliance(
  { database, clock }: Pick<DecideComplianceDeps, 'database' | 'clock'>,
  given: { proposalId: string; status: 'REJECTED' | 'WITHDRAWN'; reason: string; personId: string },
): Promise<void> {
  const { proposalId, status, personId } = given;
  const reason = reasonOf(given.reason);
  const { proposed_by: maker } = await requireProposal(database, proposalId);
  await requireOperator(database, personId);
  if (status === 'REJECTED' && maker === personId) throw complianceProposalYours();
  if (status === 'WITHDRAWN' && maker !== personId) throw complianceProposalNotYours();
  const decision = [proposalId, status, reason, personId, clock.now()];
  if ((await database.query(updateComplianceProposalDecided, decision)).length > 0) return;
  throw complianceProposalDecided((await requireProposal(database, proposalId)).status);
}

async function requireProposal(queries: Queries, proposalId: string): Promise<ComplianceProposalRead> {
  const [proposal] = await queries.query(findComplianceProposal, [proposalId]);
  if (proposal === undefined) throw complianceProposalNotFound();
  return proposal;
}
