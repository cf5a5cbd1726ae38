import type { Role, Visitor } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queries, Tx } from '../platform/db/database.ts';
import { giveRole, requireHolder } from './change-role.ts';
import type { PeopleDeps } from './deps.ts';
import {
  agreedAlready,
  changeClosed,
  changeNotFound,
  changeOvertaken,
  personNotFound,
  secondPersonForPeople,
  secondPersonTooNew,
} from './errors.ts';
import { sendInvitation } from './invitations.ts';
import {
  type ChangeRow,
  listChangesWaiting,
  lockChange,
  type MemberRow,
  type Organization,
  updateChangeDecided,
} from './member-queries.ts';
import { lockMembersOf, type Manager, requireManager, requireOwnerFor } from './organization.ts';
import {
  changeInWords,
  decidedNotice,
  decides,
  listTooNear,
  notifyOrganization,
  type TooNear,
} from './request-change.ts';
import { switchSecondFactorOff } from './second-factor.ts';

interface DecideChangeInput {
  /** Who decides, and whose organization it is. */
  by: Manager;
  changeId: string;
  decision: 'APPROVE' | 'REJECT';
  visitor: Visitor;
}

type Ended = 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN';

/**
 * A second person's yes or no to a change of people. The last yes and the change itself commit together, under the lock
 * of the organization's people. The person who requested the change may withdraw it.
 * @throws AppError 403 `SECOND_PERSON_NEEDED`, `SECOND_PERSON_TOO_NEW`; 404 `PEOPLE_CHANGE_NOT_FOUND`; 409
 *   `PEOPLE_CHANGE_CLOSED`, `PEOPLE_CHANGE_OVERTAKEN`, `ALREADY_DECIDED`; whatever refuses the change itself.
 */
export async function decideChange(deps: PeopleDeps, input: DecideChangeInput): Promise<{ status: Ended }> {
  const { database, clock, secrets, sessions } = deps;
  const { by, changeId, decision } = input;
  const done = await database.transaction(async (tx) => {
    const members = await lockMembersOf(tx, by.merchantId);
    const [change] = await tx.query(lockChange, [changeId, by.merchantId]);
    if (change === undefined) throw changeNotFound();
    const now = clock.now();
    if (change.status !== 'PENDING' || change.expires_at <= now) throw changeClosed();
    const decider = members.find(({ id, disabled_at }) => id === by.personId && disabled_at === null);
    if (decider === undefined || !mayDecideAtAll(by, decider)) throw personNotFound();
    const near = await listTooNear({ queries: tx, clock }, by.personId);
    refuse(decision === 'APPROVE' ? refusalToAgree(change, by.personId, near) : undefined);
    const agreed = decision === 'APPROVE' ? agreedOf(change, members, by) : [];
    const status = statusOf(change, { by, decision, agreed });
    await tx.query(updateChangeDecided, [change.id, status, agreed, by.personId, now]);
    if (status === 'APPROVED') await apply(deps, tx, { ...input, change, members, decider });
    if (status !== 'PENDING') {
      const what = { APPROVED: 'approved', REJECTED: 'rejected', WITHDRAWN: 'withdrawn' }[status] as 'approved';
      await notifyOrganization({ queries: tx, secrets, clock }, by.merchantId, decidedNotice(change, what, by.name));
    }
    return { status, personId: change.subject_id };
  });
  sessions.forget(done.personId);
  return { status: done.status };
}

function refuse(error: Error | undefined): void {
  if (error !== undefined) throw error;
}

/** The refusal for a person who cannot agree to a change; undefined where they can. */
function refusalToAgree(change: ChangeRow, personId: string, near: readonly TooNear[]) {
  if (change.made_by === personId || change.subject_id === personId) return secondPersonForPeople();
  const tooNear = near.find((other) => other.personId === change.made_by);
  if (tooNear !== undefined) return secondPersonTooNew(tooNear.until);
  return change.approved_by.includes(personId) ? agreedAlready() : undefined;
}

const mayDecideAtAll = ({ merchantId }: Manager, { role }: MemberRow) => merchantId === null || decides(role);

/** The people who agreed and still may, with this one. */
function agreedOf(change: ChangeRow, members: readonly MemberRow[], by: Manager): string[] {
  const still = members.filter((member) => {
    return member.disabled_at === null && mayDecideAtAll(by, member) && change.approved_by.includes(member.id);
  });
  return [...still.map(({ id }) => id), by.personId];
}

function statusOf(
  change: ChangeRow,
  { by, decision, agreed }: Pick<DecideChangeInput, 'by' | 'decision'> & { agreed: readonly string[] },
): Ended {
  if (decision === 'REJECT') return change.made_by === by.personId ? 'WITHDRAWN' : 'REJECTED';
  return agreed.length >= change.needed ? 'APPROVED' : 'PENDING';
}

/**
 * Applies the change as if the person who requested it did it now: what that person may no longer do is refused, and
 * what has changed meanwhile.
 */
async function apply(
  deps: PeopleDeps,
  tx: Tx,
  input: DecideChangeInput & { change: ChangeRow; members: readonly MemberRow[]; decider: MemberRow },
): Promise<void> {
  const { change, members, decider, visitor } = input;
  const { merchant_id: merchantId, subject_id: personId, email, role } = change;
  if (change.kind === 'SECOND_FACTOR') {
    if (!members.some(({ id, disabled_at }) => id === personId && disabled_at === null)) throw changeOvertaken();
    await switchSecondFactorOff(deps, tx, { personId, email });
    return;
  }
  const maker = members.find(({ id, disabled_at }) => id === change.made_by && disabled_at === null);
  const by = { personId: change.made_by ?? decider.id, name: change.made_by_name, merchantId };
  if (change.made_by !== null) {
    if (maker === undefined) throw changeOvertaken();
    requireOwnerFor(requireManager(members, by), role, change.role_before);
  }
  if (change.kind === 'INVITATION') {
    const own = members.find((member) => member.email === email);
    if (own?.disabled_at === null) throw changeOvertaken();
    const subjectId = own?.id ?? personId;
    await sendInvitation(deps, tx, { subjectId, by, email, role, isApproved: true, baseUrl: visitor.baseUrl });
    return;
  }
  const holder = await requireHolder(tx, members, by, personId);
  if (role === null || holder.role !== change.role_before) throw changeOvertaken();
  const keepKeys = change.keep_keys;
  const how = { by, personId, role, keepKeys, visitor, members, manager: decider, holder, isApproved: true };
  await giveRole(deps, tx, how);
}

/** Changes that wait for a second person in an organization, newest first, and whether the viewer may agree. */
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
      ? (refusalToAgree(change, viewer.personId, near)?.message ?? null)
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
