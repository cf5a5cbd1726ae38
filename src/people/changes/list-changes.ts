import type { Role } from '../../access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Queries } from '../../platform/db/database.ts';
import type { Organization } from '../members/queries.ts';
import { listTooNear } from './apart.ts';
import { whyNoYes } from './decide-change.ts';
import { decides } from './needs-second.ts';
import { changeInWords } from './notices.ts';
import { type ChangeRow, listChangesWaiting } from './queries.ts';

/** What waits for a second person in an organization, newest first, and whether who asks may agree. */
export async function listChanges(
  deps: { queries: Queries; clock: Clock },
  viewer: { personId: string; merchantId: Organization; role: Role | null },
) {
  const [waiting, near] = await Promise.all([
    deps.queries.query(listChangesWaiting, [viewer.merchantId, deps.clock.now()]),
    listTooNear(deps, viewer.personId),
  ]);
  const decidesHere = viewer.merchantId === null || decides(viewer.role);
  return waiting.map((change) => {
    const whyNot = decidesHere
      ? (whyNoYes(change, viewer.personId, near)?.message ?? null)
      : 'Your role does not decide about approvals.';
    return { ...changeView(change), mayApprove: whyNot === null, mayReject: decidesHere, whyNot };
  });
}

function changeView(change: ChangeRow) {
  return {
    changeId: change.id,
    kind: change.kind,
    title: changeInWords(change),
    personId: change.subject_id,
    email: change.email,
    role: change.role,
    roleBefore: change.role_before,
    reason: change.reason,
    needed: change.needed,
    given: change.approved_by.length,
    madeBy: { personId: change.made_by, name: change.made_by_name },
    madeAt: change.made_at.toISOString(),
    expiresAt: change.expires_at.toISOString(),
  };
}
