import type { Principal } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { countedPageView, MAX_COUNTED } from '../platform/http/counted-page.ts';
import { offsetOf, type PageRequest } from '../platform/http/schemas.ts';
import type { ApprovalStatus } from './approval-state.ts';
import { alreadyDecided, approvalClosed, selfApproval } from './errors.ts';
import {
  type ApprovalKind,
  type ApprovalRow,
  countApprovals,
  type DecisionRow,
  listApprovals,
  listDecisions,
} from './queries.ts';
import { decisionsOf, requireApproval } from './require-approval.ts';
import { approvalView } from './views.ts';

export interface ApprovalSearch {
  status?: ApprovalStatus | undefined;
  kind?: ApprovalKind | undefined;
  /** Of one payout, batch or beneficiary. */
  subjectId?: string | undefined;
}

interface ReadDeps {
  database: Database;
  clock: Clock;
}

/** A page of what was put before approvers, newest first, and whether the caller may decide about each. */
export async function readApprovals(deps: ReadDeps, principal: Principal, search: ApprovalSearch, page: PageRequest) {
  const { merchantId, mode } = principal.tenant;
  const asked = [merchantId, mode, search.status ?? null, search.kind ?? null, search.subjectId ?? null];
  const [[count], rows] = await Promise.all([
    deps.database.query(countApprovals, [...asked, MAX_COUNTED + 1]),
    deps.database.query(listApprovals, [...asked, offsetOf(page), page.size + 1]),
  ]);
  const ids = rows.map(({ id }) => id);
  const decisions = ids.length === 0 ? [] : await deps.database.query(listDecisions, [merchantId, mode, ids]);
  const now = deps.clock.now();
  const views = rows.map((row) => {
    const own = decisions.filter(({ approval_id }) => approval_id === row.id);
    return { ...approvalView(row, own), ...standing(principal, row, own, now) };
  });
  return countedPageView(page, count?.total ?? 0, views);
}

/** @throws AppError `APPROVAL_NOT_FOUND` */
export async function readApproval(deps: ReadDeps, principal: Principal, id: string) {
  const approval = await requireApproval(deps.database, principal.tenant, id);
  const decisions = await decisionsOf(deps.database, approval);
  return { ...approvalView(approval, decisions), ...standing(principal, approval, decisions, deps.clock.now()) };
}

/** May the caller decide, and if not, why: the sentence that the refusal would have. */
function standing(
  { member }: Principal,
  approval: ApprovalRow,
  decisions: readonly DecisionRow[],
  now: Date,
): { mayDecide: boolean; whyNot: string | null } {
  const whyNot = (): string | null => {
    if (approval.status !== 'PENDING') return approvalClosed(approval.status).message;
    if (new Date(approval.expires_at) <= now) return approvalClosed('EXPIRED').message;
    if (member === null) return 'Only somebody who is signed in can decide; an API key never can.';
    if (approval.made_by === member.personId) return selfApproval().message;
    if (!member.permissions.has('approval:decide')) return 'Your role does not decide about approvals.';
    if (decisions.some(({ person_id }) => person_id === member.personId)) return alreadyDecided().message;
    return null;
  };
  const reason = whyNot();
  return { mayDecide: reason === null, whyNot: reason };
}
