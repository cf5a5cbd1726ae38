import type { MovementParts } from '../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { EndedHow, Held } from './clearance.ts';
import { approvalMovedOn, approvalNotFound } from './errors.ts';
import {
  type ApprovalRow,
  approvalStates,
  type DecisionRow,
  findApproval,
  findApprovalOfSubject,
  insertApprovals,
  insertDecisions,
  listDecisions,
  updateApprovalsGiven,
} from './queries.ts';
import { digestOf, type ShownLine } from './shown-lines.ts';
import { approvalEvent } from './views.ts';

/** @throws AppError `APPROVAL_NOT_FOUND`, also for an approval of another merchant or another mode. */
export async function requireApproval(queries: Queries, tenant: Tenant, id: string): Promise<ApprovalRow> {
  const [approval] = await queries.query(findApproval, [tenant.merchantId, tenant.mode, id]);
  if (approval === undefined) throw approvalNotFound();
  return approval;
}

/** The last approval that was requested for a subject, however it ended; undefined where none was. */
export async function findApprovalOf(
  queries: Queries,
  { merchantId, mode }: Tenant,
  subjectId: string,
): Promise<ApprovalRow | undefined> {
  const [approval] = await queries.query(findApprovalOfSubject, [merchantId, mode, subjectId]);
  return approval;
}

export function decisionsOf(queries: Queries, { merchant_id, mode, id }: ApprovalRow): Promise<DecisionRow[]> {
  return queries.query(listDecisions, [merchant_id, mode, [id]]);
}

/**
 * For a movement that changes a subject which waits for approval: its approval becomes void. Nothing where none waits.
 * Where somebody decides at the same moment, the movement is refused with `APPROVAL_MOVED_ON`, and has to read again.
 */
export async function voidApproval(
  queries: Queries,
  tenant: Tenant,
  approvalId: string | null,
  reason: string,
  at: Date,
): Promise<MovementParts> {
  if (approvalId === null) return {};
  const approval = await requireApproval(queries, tenant, approvalId);
  if (approval.status !== 'PENDING') throw approvalMovedOn();
  return endedParts(approval, 'VOID', reason, at, { earlier: await decisionsOf(queries, approval) });
}

/** An approval that nobody decides for so long is no longer wanted. */
const EXPIRES_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

export interface ApprovalRequest {
  subjectId: string;
  /** One line, such as `₦1,000.00 to ADA OBI`. */
  title: string;
  amountMinor: bigint | null;
  chargesMinor: bigint | null;
  /** What an approver is shown beside the amounts, in order. */
  shown: readonly ShownLine[];
  /** What the subject needs when it is approved; part of the digest. */
  payload?: object;
  /** In a week, unless given. */
  expiresAt?: Date;
  at: Date;
}

/**
 * Requests an approval: its row, its event and the reservation of the rules that require it, for the movement that
 * keeps the subject waiting.
 */
export function requestApproval(held: Held, request: ApprovalRequest): { approval: ApprovalRow; parts: MovementParts } {
  const { tenant, maker, at } = { ...held, at: request.at };
  const expiresAt = request.expiresAt ?? new Date(at.getTime() + EXPIRES_AFTER_MS);
  const row = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id: newId(),
    kind: held.approvalKind,
    subject_id: request.subjectId,
    title: request.title,
    amount_minor: request.amountMinor,
    charges_minor: request.chargesMinor,
    currency: DEFAULT_CURRENCY,
    shown: JSON.stringify(request.shown),
    payload: JSON.stringify(request.payload ?? {}),
    status: 'PENDING' as const,
    reason: null,
    needed: held.needed,
    given: 0,
    rules_version: held.rulesVersion,
    made_by: maker.personId,
    made_by_name: held.makerName,
    made_via: maker.via,
    made_by_key: maker.keyId,
    made_ip: maker.ip,
    made_at: at,
    expires_at: expiresAt,
    updated_at: at,
  };
  const approval: ApprovalRow = { ...row, digest: digestOf(row) };
  return {
    approval,
    parts: {
      reservations: held.reservations,
      writes: [write(insertApprovals, approval)],
      events: [approvalEvent('approval.requested', approval, [])],
    },
  };
}

/** One person's decision, with the earlier ones. */
export interface Decided {
  decision: DecisionRow;
  earlier: readonly DecisionRow[];
}

/**
 * The parts of an approval that one more person approves. Each step names the step that its person saw before it, so
 * when two people approve at one moment the second is repeated, and both count.
 */
export function approvedParts(approval: ApprovalRow, { decision, earlier }: Decided, at: Date): MovementParts {
  const { merchant_id, mode, id } = approval;
  const given = approval.given + 1;
  const to = given === approval.needed ? 'APPROVED' : 'PENDING';
  const after: ApprovalRow = { ...approval, given, status: to, updated_at: at };
  return {
    uniqueKeys: [{ scope: 'APPROVAL_STEP', value: `${id}/${approval.given}`, refusal: approvalMovedOn }],
    transitions: [transition(approval, to, null)],
    writes: [write(updateApprovalsGiven, { merchant_id, mode, id, given }), write(insertDecisions, decision)],
    events: [approvalEvent('approval.decided', after, [...earlier, decision])],
  };
}

/** The parts of an approval that ends otherwise; `reason` says why where the state does not. */
export function endedParts(
  approval: ApprovalRow,
  how: EndedHow,
  reason: string | null,
  at: Date,
  { decision, earlier }: Partial<Decided> = {},
): MovementParts {
  const after: ApprovalRow = { ...approval, status: how, reason, updated_at: at };
  const decisions = [...(earlier ?? []), ...(decision === undefined ? [] : [decision])];
  return {
    transitions: [transition(approval, how, reason)],
    writes: decision === undefined ? [] : [write(insertDecisions, decision)],
    events: [approvalEvent('approval.decided', after, decisions)],
  };
}

function transition({ id }: ApprovalRow, to: EndedHow | 'APPROVED' | 'PENDING', reason: string | null) {
  return { machine: approvalStates, id, from: ['PENDING'], to, reason, refusal: approvalMovedOn };
}
