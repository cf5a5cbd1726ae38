import { DEFAULT_CURRENCY } from '../money/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Held, MovementParts } from './clearance.ts';
import { digestOf } from './digest.ts';
import { endedParts } from './end-approval.ts';
import { approvalMovedOn, approvalNotFound } from './errors.ts';
import {
  type ApprovalRow,
  type DecisionRow,
  findApproval,
  findApprovalOfSubject,
  insertApprovals,
  listDecisions,
} from './queries.ts';
import type { ShownLine } from './shown-lines.ts';
import { approvalEvent } from './views.ts';

/** @throws AppError `APPROVAL_NOT_FOUND`, for another merchant's and another mode's too. */
export async function requireApproval(queries: Queries, tenant: Tenant, id: string): Promise<ApprovalRow> {
  const [approval] = await queries.query(findApproval, [tenant.merchantId, tenant.mode, id]);
  if (approval === undefined) throw approvalNotFound();
  return approval;
}

/** The last approval that was asked for about something, however it ended; undefined where none ever was. */
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
 * For a movement that changes what waits for approval: the approval dies with it. Nothing where it has none that waits.
 * Should somebody decide at the same moment, the movement is refused with `APPROVAL_MOVED_ON`, and has to look again.
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

/** What nobody has decided for so long is not meant any more. */
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
 * Puts something before the people who have to approve it: its row and its event, for the movement that keeps the
 * subject where it waits, and the reservation of the rules by which it has to.
 */
export function requestApproval(held: Held, request: ApprovalRequest): { approval: ApprovalRow; parts: MovementParts } {
  const { tenant, maker, at } = { ...held, at: request.at };
  const expiresAt = request.expiresAt ?? new Date(at.getTime() + EXPIRES_AFTER_MS);
  const row = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id: newId(),
    kind: held.what,
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
