import type { Principal } from '../access/index.ts';
import { listTooNear, secondPersonTooNew, type TooNear } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { Period } from '../platform/http/period.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import { readBeside } from '../platform/lists/totals.ts';
import { findLeaver, listDeciders } from './deciders.ts';
import { alreadyDecided, approvalClosed, approverLeft, selfApproval } from './errors.ts';
import {
  type ApprovalFilter,
  type ApprovalKind,
  type ApprovalRow,
  type ApprovalStatus,
  approvalList,
  type DecisionRow,
  listDecisions,
} from './queries.ts';
import { decisionsOf, requireApproval } from './request-approval.ts';
import type { INBOXES } from './schemas.ts';
import { approvalView } from './views.ts';

export interface ApprovalSearch extends Partial<Period> {
  inbox?: (typeof INBOXES)[number] | undefined;
  status?: ApprovalStatus | undefined;
  kind?: ApprovalKind | undefined;
  /** Of one payout, batch or beneficiary. */
  subjectId?: string | undefined;
  /** Of one person. */
  madeBy?: string | undefined;
}

interface ReadDeps {
  database: Database;
  clock: Clock;
}

/**
 * Approvals, newest first, and whether the caller may decide about each.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`; 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readApprovals(
  deps: ReadDeps,
  principal: Principal,
  search: ApprovalSearch,
  request: ListRequest,
) {
  const { tenant } = principal;
  const now = deps.clock.now();
  const near = await readTooNear(deps, principal);
  const filter = filterOf(principal, search, now, near);
  const { subjectId, kind, from, to } = search;
  // No index has kinds or times.
  const isLong = subjectId === undefined && (kind ?? from ?? to) !== undefined;
  const asked = { request, isLong };
  const { found, decisions, deciders } = await readBeside(deps.database, tenant.merchantId, asked, async (queries) => {
    const page = await readList(queries, approvalList(tenant, filter), request);
    const ids = page.rows.map(({ id }) => id);
    const given = await queries.query(listDecisions, [tenant.merchantId, tenant.mode, ids]);
    return { found: page, decisions: given, deciders: await decidersOf(queries, principal, page.rows) };
  });
  return listView(found, (row) => {
    const own = decisions.filter(({ approval_id }) => approval_id === row.id);
    return { ...approvalView(row, own), ...rulesInForce(principal, row, own, { now, near, deciders }) };
  });
}

/** How many approvals wait for the caller. */
export async function countToDecide(deps: ReadDeps, principal: Principal): Promise<number> {
  const { totalRecords } = await readApprovals(deps, principal, { inbox: 'TO_DECIDE' }, { page: 1, size: 1 });
  return totalRecords ?? 0;
}

/**
 * Who may decide now. Not read where no vote was given that could have become invalid, or where the caller decides
 * about nothing.
 */
async function decidersOf(
  queries: Queries,
  { tenant, member }: Principal,
  rows: readonly ApprovalRow[],
): Promise<ReadonlySet<string>> {
  const isAsked = rows.some(({ status, given }) => status === 'PENDING' && given > 0);
  if (!isAsked || member?.permissions.has('approval:decide') !== true) return new Set();
  return listDeciders(queries, tenant.merchantId);
}

/** The people whose work this person may not decide about yet. Empty where this person decides about nothing. */
async function readTooNear({ database, clock }: ReadDeps, { member }: Principal): Promise<TooNear[]> {
  if (member === null || !member.permissions.has('approval:decide')) return [];
  return listTooNear({ queries: database, clock }, member.personId);
}

function filterOf(
  { member, keyId, keyCreatedBy }: Principal,
  search: ApprovalSearch,
  now: Date,
  near: readonly TooNear[],
): ApprovalFilter {
  const { inbox, ...asked } = search;
  switch (inbox) {
    case undefined:
      return asked;
    case 'DECIDED':
      return { ...asked, not: 'PENDING' };
    case 'TO_DECIDE':
      if (member === null || !member.permissions.has('approval:decide')) return { nothing: true };
      return { ...asked, decidedBy: { personId: member.personId, now, notOf: near.map(({ personId }) => personId) } };
    case 'MINE':
      if (member === null) return { ...asked, madeByKey: { keyId, personId: keyCreatedBy } };
      return asked.madeBy === undefined || asked.madeBy === member.personId
        ? { ...asked, madeBy: member.personId }
        : { nothing: true };
  }
}

/** @throws AppError `APPROVAL_NOT_FOUND` */
export async function readApproval(deps: ReadDeps, principal: Principal, id: string) {
  const { approval, decisions, deciders } = await deps.database.snapshot(async (queries) => {
    const row = await requireApproval(queries, principal.tenant, id);
    const given = await decisionsOf(queries, row);
    return { approval: row, decisions: given, deciders: await decidersOf(queries, principal, [row]) };
  });
  const [now, near] = [deps.clock.now(), await readTooNear(deps, principal)];
  const rules = rulesInForce(principal, approval, decisions, { now, near, deciders });
  return { ...approvalView(approval, decisions), ...rules };
}

interface InForce {
  now: Date;
  near: readonly TooNear[];
  deciders: ReadonlySet<string>;
}

/**
 * Whether the caller may approve and reject; if not, the sentence that the refusal would have. The address that it was
 * made from is only for those who decide.
 */
function rulesInForce(
  { member }: Principal,
  approval: ApprovalRow,
  decisions: readonly DecisionRow[],
  { now, near, deciders }: InForce,
): { mayDecide: boolean; mayApprove: boolean; whyNot: string | null; madeFrom: string | null } {
  const whyNot = (): string | null => {
    if (approval.status !== 'PENDING') return approvalClosed(approval.status).message;
    if (approval.expires_at <= now) return approvalClosed('EXPIRED').message;
    if (member === null) return 'Only somebody who is signed in can decide; an API key never can.';
    if (approval.made_by === member.personId) return selfApproval().message;
    if (!member.permissions.has('approval:decide')) return 'Your role does not decide about approvals.';
    const tooNear = near.find(({ personId }) => personId === approval.made_by);
    if (tooNear !== undefined) return secondPersonTooNew(tooNear.until).message;
    if (decisions.some(({ person_id }) => person_id === member.personId)) return alreadyDecided().message;
    return null;
  };
  const reason = whyNot();
  const leaver = reason === null ? findLeaver(decisions, deciders) : undefined;
  const decides = member?.permissions.has('approval:decide') === true;
  return {
    mayDecide: reason === null,
    mayApprove: reason === null && leaver === undefined,
    whyNot: leaver === undefined ? reason : approverLeft(leaver.person_name).message,
    madeFrom: decides ? approval.made_ip : null,
  };
}
