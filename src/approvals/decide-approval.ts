import { type Member, type Principal, requireScope, requireService } from '../access/index.ts';
import { type CommitResult, type IdempotencyKey, joinParts, type Ledger, type MovementParts } from '../ledger/index.ts';
import type { ServiceKey } from '../merchants/index.ts';
import { requireApart } from '../people/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import type { Logger } from '../platform/logger.ts';
import { type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import type { KnownRules } from './approval-rules.ts';
import {
  type ApprovalSubject,
  type ApprovalSubjects,
  clearedByApproval,
  type EndedHow,
  type Maker,
} from './clearance.ts';
import { findLeaver, listDeciders } from './deciders.ts';
import {
  alreadyDecided,
  approvalClosed,
  approvalDigestMismatch,
  approverLeft,
  deciderNotActive,
  notTheMaker,
  selfApproval,
} from './errors.ts';
import { type ApprovalRow, type DecisionRow, listExpiredApprovals, updateApprovalsAdvanced } from './queries.ts';
import { approvedParts, decisionsOf, endedParts, requireApproval } from './request-approval.ts';
import { digestOf } from './shown-lines.ts';
import { approvalView } from './views.ts';

export interface ApprovalDeps {
  database: Database;
  approvalRules: KnownRules;
  ledger: Ledger;
  clock: Clock;
  logger: Logger;
  jobs: JobMonitor;
  subjects: ApprovalSubjects;
}

/**
 * Only a handful of people decide at the same moment; each attempt after the first means that one of them was first.
 */
const MAX_ATTEMPTS = 20;

export interface DecideInput {
  tenant: Tenant;
  member: Member;
  /**
   * The services that the merchant may use now: an approval sends nothing by a service that was withdrawn meanwhile.
   */
  services: ReadonlySet<ServiceKey>;
  approvalId: string;
  decision: 'APPROVE' | 'REJECT';
  /** The digest of what the person saw; a rejection needs none. */
  digest: string | undefined;
  note: string | null;
  idempotency: IdempotencyKey | undefined;
}

/**
 * One person's yes or no to what another person made. The last yes and what it puts into force are one movement, and so
 * are a no and its effect on the subject. Where the subject cannot be done now, for example for want of money, it stays
 * undecided.
 * @throws AppError 403 `SELF_APPROVAL`, `DECIDER_NOT_ACTIVE`, `SECOND_PERSON_TOO_NEW`,
 *   `SERVICE_NOT_ENABLED`; 404 `APPROVAL_NOT_FOUND`; 409 `ALREADY_DECIDED`, `APPROVER_LEFT`,
 *   `APPROVAL_CLOSED`, `APPROVAL_DIGEST_MISMATCH`; whatever refuses the subject.
 */
export async function decideApproval(deps: ApprovalDeps, input: DecideInput): Promise<CommitResult> {
  const { tenant, idempotency } = input;
  const earlier = idempotency && (await deps.ledger.findAnswer(tenant, idempotency));
  if (earlier !== undefined) return earlier;
  return untilSettled(async () => {
    const approval = await requireApproval(deps.database, tenant, input.approvalId);
    const decisions = await decisionsOf(deps.database, approval);
    await requireMayDecide(deps, approval, decisions, input);
    return commitDecision(deps, approval, decisions, input);
  });
}

/** Repeats an attempt where another one took a step first: then nothing was done, and no key keeps an answer. */
export async function untilSettled<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      const retryable = error instanceof AppError && error.retryable;
      if (!retryable || attempts >= MAX_ATTEMPTS) throw error;
    }
  }
}

async function requireMayDecide(
  { database, clock, subjects }: ApprovalDeps,
  approval: ApprovalRow,
  decisions: readonly DecisionRow[],
  { member, services, decision, digest }: DecideInput,
): Promise<void> {
  if (approval.made_by === member.personId) throw selfApproval();
  // Read from the database and not from the session, which may be two seconds old.
  const deciders = await listDeciders(database, approval.merchant_id);
  if (!deciders.has(member.personId)) throw deciderNotActive();
  await requireApart({ queries: database, clock }, { decider: member.personId, maker: approval.made_by });
  if (decisions.some(({ person_id }) => person_id === member.personId)) throw alreadyDecided();
  if (approval.status !== 'PENDING') throw approvalClosed(approval.status);
  if (approval.expires_at <= clock.now()) throw approvalClosed('EXPIRED');
  if (decision === 'REJECT') return;
  // One of the people who approved may have been removed because of that.
  const leaver = findLeaver(decisions, deciders);
  if (leaver !== undefined) throw approverLeft(leaver.person_name);
  if (approval.kind !== 'RULES') {
    requireService(services, await serviceOf(subjects, approval));
  }
  // Computed over the row as it is: an approval that was altered in the database is not what anybody was shown.
  if (digest !== approval.digest || digestOf(approval) !== approval.digest) throw approvalDigestMismatch();
}

const serviceOf = async (subjects: ApprovalSubjects, approval: ApprovalRow): Promise<ServiceKey> =>
  (await subjects[approval.kind].service?.(approval)) ?? 'PAYOUT';

async function commitDecision(
  deps: ApprovalDeps,
  approval: ApprovalRow,
  earlier: readonly DecisionRow[],
  input: DecideInput,
): Promise<CommitResult> {
  const at = deps.clock.now();
  const { member, tenant } = input;
  const decision: DecisionRow = {
    merchant_id: approval.merchant_id,
    mode: approval.mode,
    approval_id: approval.id,
    person_id: member.personId,
    decision: input.decision,
    person_name: member.name,
    person_role: member.role,
    digest: approval.digest,
    note: input.note,
    decided_at: at,
  };
  const once = { scope: 'APPROVAL_DECISION', value: `${approval.id}/${member.personId}`, refusal: alreadyDecided };
  const rejected = input.decision === 'REJECT';
  const last = approval.given + 1 === approval.needed;
  const subject = deps.subjects[approval.kind];
  const parts = rejected
    ? [endedParts(approval, 'REJECTED', null, at, { decision, earlier }), await subject.ended(approval, 'REJECTED', at)]
    : [
        approvedParts(approval, { decision, earlier }, at),
        ...(last ? [await effectOf(deps, subject, approval, at)] : []),
      ];
  const after: ApprovalRow = {
    ...approval,
    status: rejected ? 'REJECTED' : last ? 'APPROVED' : 'PENDING',
    given: approval.given + (rejected ? 0 : 1),
  };
  const whyNot = alreadyDecided().message;
  const no = { mayDecide: false, mayApprove: false, whyNot };
  const view = { ...approvalView(after, [...earlier, decision]), ...no, madeFrom: approval.made_ip };
  const message = rejected ? 'Rejected' : last ? 'Approved' : 'Your approval counts; more are needed';
  const result = await deps.ledger.commit({
    tenant,
    id: approval.id,
    occurredAt: at.toISOString(),
    idempotency: input.idempotency,
    ...joinParts({ uniqueKeys: [once] }, ...parts),
    answer: success(message, view),
  });
  if (after.status === 'APPROVED') await subject.committed?.(approval);
  return result;
}

/**
 * What the last approval puts into force. Where the subject is no longer what was shown, the approval becomes void
 * instead.
 */
async function effectOf(
  deps: ApprovalDeps,
  subject: ApprovalSubject,
  approval: ApprovalRow,
  at: Date,
): Promise<MovementParts> {
  try {
    return await subject.approved(approval, clearedByApproval(approval), at);
  } catch (error) {
    if (error instanceof AppError && error.code === 'APPROVAL_DIGEST_MISMATCH') {
      await endApproval(deps, approval, 'VOID', 'SUBJECT_CHANGED');
    }
    throw error;
  }
}

/** Ends an approval without a decision of an approver, together with its subject, in one movement. */
async function endApproval(
  deps: ApprovalDeps,
  approval: ApprovalRow,
  how: EndedHow,
  reason: string | null,
  idempotency?: IdempotencyKey,
): Promise<CommitResult> {
  const at = deps.clock.now();
  const earlier = await decisionsOf(deps.database, approval);
  const parts = joinParts(
    endedParts(approval, how, reason, at, { earlier }),
    await deps.subjects[approval.kind].ended(approval, how, at),
  );
  const view = approvalView({ ...approval, status: how, reason }, earlier);
  return deps.ledger.commit({
    tenant: tenantOf(approval),
    id: approval.id,
    occurredAt: at.toISOString(),
    idempotency,
    ...parts,
    answer: success('Withdrawn', {
      ...view,
      mayDecide: false,
      mayApprove: false,
      whyNot: approvalClosed(how).message,
      madeFrom: null,
    }),
  });
}

export interface WithdrawInput {
  principal: Principal;
  approvalId: string;
  maker: Maker;
  idempotency: IdempotencyKey | undefined;
}

/**
 * The maker withdraws the request: what was held is released, and a batch can be corrected.
 * @throws AppError 403 `NOT_THE_MAKER`, `SCOPE_NOT_GRANTED`; 404 `APPROVAL_NOT_FOUND`; 409 `APPROVAL_CLOSED`.
 */
export async function withdrawApproval(deps: ApprovalDeps, input: WithdrawInput): Promise<CommitResult> {
  const { principal, idempotency, maker } = input;
  const { tenant } = principal;
  const earlier = idempotency && (await deps.ledger.findAnswer(tenant, idempotency));
  if (earlier !== undefined) return earlier;
  return untilSettled(async () => {
    const approval = await requireApproval(deps.database, tenant, input.approvalId);
    // A key that only collects requests refunds: what it may request it may take back, and nothing else.
    if ((await serviceOf(deps.subjects, approval)) !== 'COLLECTION') requireScope(principal, 'payout:write');
    if (!isMaker(approval, maker)) throw notTheMaker();
    if (approval.status !== 'PENDING') throw approvalClosed(approval.status);
    return endApproval(deps, approval, 'WITHDRAWN', null, idempotency);
  });
}

/** The person, or the same key again: a person may also withdraw what a key of theirs made. */
function isMaker(approval: ApprovalRow, { personId, keyId }: Maker): boolean {
  if (personId !== null && approval.made_by === personId) return true;
  return keyId !== null && approval.made_by_key === keyId;
}

/** In one run, for one merchant and for all; the rest has its turn in the next run. */
const OF_A_MERCHANT = 20;
const OF_ALL = 200;

/**
 * Ends approvals of one mode that have expired, and releases what they held. One that cannot be ended is left alone for
 * a time that grows. Any number of workers may do it at once.
 * @returns how many were ended.
 */
export async function expireApprovals(deps: ApprovalDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  const failures = deps.jobs.failuresOf('approvals.expire');
  const values = [mode, deps.clock.now(), failures.backingOffKeys(), OF_A_MERCHANT, OF_ALL];
  const expired = await deps.database.query(listExpiredApprovals, values);
  return takeTurns<ApprovalRow>(expired, {
    failures,
    stopped,
    tenantOf,
    keyOf: ({ id }) => id,
    take: (approval) => expire(deps, approval),
    aboutOf: ({ id, merchant_id: merchantId }) => ({
      message: 'an approval could not be ended',
      merchantId,
      mode,
      approvalId: id,
    }),
  });
}

async function expire(deps: ApprovalDeps, approval: ApprovalRow): Promise<number> {
  try {
    await endApproval(deps, approval, 'EXPIRED', null);
    return 1;
  } catch (error) {
    // Decided at the last moment, or another worker was faster: the next run reads it again.
    if (error instanceof AppError && error.retryable) return 0;
    throw error;
  }
}

/** Writes that make the approvals of a sandbox expire so much earlier. */
export function approvalAdvanceWrites({ merchantId, mode }: Tenant, seconds: number): Write[] {
  return [write(updateApprovalsAdvanced, { merchant_id: merchantId, mode, seconds })];
}
