import { permissionsOfRole, type Role, revokeKeysOfMaker, type Visitor } from '../access/index.ts';
import type { Tx } from '../platform/db/database.ts';
import type { PeopleDeps } from './deps.ts';
import { notYourself, personNotFound } from './errors.ts';
import type { Asked } from './invitations.ts';
import {
  deleteInvitation,
  deleteInvitationsSentBy,
  findInvitation,
  type MemberRow,
  updateChangesAboutVoid,
  updateChangesOfMakerVoid,
  updateInvitationRole,
  updatePersonDisabled,
  updatePersonRole,
} from './member-queries.ts';
import {
  lockMembersOf,
  type Manager,
  requireDecidersLeft,
  requireManager,
  requireOwnerFor,
  requireSomebodyLeft,
} from './organization.ts';
import { deleteLinksOf } from './queries.ts';
import { noteRoleGiven, recordAction } from './record-action.ts';
import { agreementsForRole, givesMore, requestChange } from './request-change.ts';
import { endSessionsOf } from './session.ts';

/** Who changes people, and whether keys that may do more than their maker from then on are kept. */
interface ChangeInput {
  by: Manager;
  personId: string;
  keepKeys?: boolean | undefined;
  visitor: Visitor;
}

/** What was removed together with a person's rights. */
interface Taken {
  keysRevoked: number;
  invitationsWithdrawn: number;
}

const NOTHING_TAKEN: Taken = { keysRevoked: 0, invitationsWithdrawn: 0 };

/**
 * Gives a merchant's person, or one who is invited, another role; it counts everywhere within two seconds. While
 * approvals are on, a role that decides about what others make, and may do more than the one before, waits until a second
 * person has agreed. The people of the business are locked meanwhile, so two changes at once never leave it without an
 * owner, or without approvers. Keys that they made and that may do more than the new role are revoked, unless they are to
 * be kept.
 * @throws AppError 404 `PERSON_NOT_FOUND`; 422 `NOT_YOURSELF`, `LAST_OWNER`, `APPROVERS_MISSING`; 403 `OWNERS_ONLY`.
 */
export async function changeRole(deps: PeopleDeps, input: ChangeInput & { role: Role }): Promise<Taken & Asked> {
  const { database, sessions } = deps;
  const { by, personId, role, keepKeys } = input;
  const { merchantId } = by;
  if (personId === by.personId) throw notYourself();
  const taken = await database.transaction(async (tx) => {
    const members = await lockMembersOf(tx, merchantId);
    const manager = requireManager(members, by);
    const holder = await requireHolder(tx, members, by, personId);
    requireOwnerFor(manager, holder.role, role);
    const { email, role: before } = holder;
    const needed = await agreementsForRole(deps, tx, { merchantId, before, role });
    if (needed > 0) {
      const roles = { role, roleBefore: before, keepKeys };
      const change = { kind: 'ROLE', merchantId, subjectId: personId, email, ...roles, needed, madeBy: by } as const;
      return { ...NOTHING_TAKEN, ...(await requestChange(deps, tx, change, members)) };
    }
    const isApproved = holder.isApproved && !givesMore(before, role);
    return { ...(await giveRole(deps, tx, { ...input, members, manager, holder, isApproved })), changeId: null };
  });
  sessions.forget(personId);
  return taken;
}

/** A person with a role of an organization, or an invitation to one. */
interface Holder {
  email: string;
  role: Role | null;
  /** Undefined: the person is only invited. */
  member: MemberRow | undefined;
  /** Whether a second person has agreed to an invitation. */
  isApproved: boolean;
}

/** @throws AppError 404 `PERSON_NOT_FOUND`. */
export async function requireHolder(
  tx: Tx,
  members: readonly MemberRow[],
  { merchantId }: Pick<Manager, 'merchantId'>,
  personId: string,
): Promise<Holder> {
  const [invitation] = await tx.query(findInvitation, [personId]);
  if (invitation?.merchant_id === merchantId) {
    const { email, role, is_approved } = invitation;
    return { email, role, member: undefined, isApproved: is_approved === true };
  }
  const member = members.find(({ id, disabled_at }) => id === personId && disabled_at === null);
  if (member === undefined) throw personNotFound();
  return { email: member.email, role: member.role, member, isApproved: false };
}

/**
 * Gives the new role, in the caller's transaction and under the lock of the organization's people. The caller calls
 * `sessions.forget` after the commit.
 * @throws AppError 422 `LAST_OWNER`, `APPROVERS_MISSING`.
 */
export async function giveRole(
  deps: PeopleDeps,
  tx: Tx,
  input: ChangeInput & {
    role: Role;
    members: readonly MemberRow[];
    /** For the audit log. */
    manager: MemberRow;
    holder: Holder;
    isApproved: boolean;
  },
): Promise<Taken> {
  const { by, personId, role, members, holder, isApproved } = input;
  const { member, email, role: before } = holder;
  const { merchantId } = by;
  const gainsRights = givesMore(before, role);
  await tx.query(updateChangesAboutVoid, [merchantId, email, deps.clock.now()]);
  if (member === undefined) {
    await tx.query(updateInvitationRole, [personId, merchantId, role, gainsRights ? by.personId : null, isApproved]);
    return NOTHING_TAKEN;
  }
  if (role !== 'OWNER') requireSomebodyLeft(members, by, member);
  await requireDecidersLeft(tx, deps, { members, by }, { member, role });
  await tx.query(updatePersonRole, [personId, role]);
  if (gainsRights) await noteRoleGiven(deps, tx, { personId, email, role, merchantId, by: by.personId });
  return revokeBeyondRole(deps, tx, input);
}

/**
 * Removes somebody: their sessions end everywhere within two seconds, and the address stays theirs. Keys that they made
 * end with them, unless they are to be kept, and invitations that they sent are taken back: one of those could be a way
 * back in. An invitation is taken back. Owners may remove themselves while another owner is left.
 * @throws AppError 404 `PERSON_NOT_FOUND`; 422 `LAST_OWNER`, `LAST_OPERATOR`, `APPROVERS_MISSING`; 403 `OWNERS_ONLY`.
 */
export async function removePerson(deps: PeopleDeps, input: ChangeInput): Promise<Taken> {
  const { database, clock, sessions } = deps;
  const { by, personId } = input;
  const taken = await database.transaction(async (tx) => {
    const members = await lockMembersOf(tx, by.merchantId);
    const manager = requireManager(members, by);
    const [invitation] = await tx.query(findInvitation, [personId]);
    if (invitation !== undefined && invitation.merchant_id === by.merchantId) {
      requireOwnerFor(manager, invitation.role);
      await tx.query(updateChangesAboutVoid, [by.merchantId, invitation.email, clock.now()]);
      await tx.query(deleteInvitation, [personId, by.merchantId]);
      await tx.query(deleteLinksOf, [personId]);
      return NOTHING_TAKEN;
    }
    const member = members.find(({ id, disabled_at }) => id === personId && disabled_at === null);
    if (member === undefined) throw personNotFound();
    requireOwnerFor(manager, member.role);
    requireSomebodyLeft(members, by, member);
    await requireDecidersLeft(tx, deps, { members, by }, { member, role: null });
    await tx.query(updateChangesAboutVoid, [by.merchantId, member.email, clock.now()]);
    await tx.query(updatePersonDisabled, [personId, clock.now()]);
    await endSessionsOf(tx, personId);
    await tx.query(deleteLinksOf, [personId]);
    return revokeBeyondRole(deps, tx, { ...input, manager, role: null });
  });
  sessions.forget(personId);
  return taken;
}

/** Revokes keys and open invitations by which a person would keep rights that their role (null: none) no longer has. */
async function revokeBeyondRole(
  { clock }: PeopleDeps,
  tx: Tx,
  { by, personId, keepKeys, visitor, manager, role }: ChangeInput & { manager: MemberRow; role: Role | null },
): Promise<Taken> {
  const { merchantId } = by;
  const mayStillInvite = role !== null && permissionsOfRole(role).has('member:manage');
  if (!mayStillInvite) await tx.query(updateChangesOfMakerVoid, [merchantId, personId, clock.now()]);
  const invitations = mayStillInvite ? [] : await tx.query(deleteInvitationsSentBy, [personId, merchantId]);
  if (merchantId === null || keepKeys === true) {
    return { keysRevoked: 0, invitationsWithdrawn: invitations.length };
  }
  const keys = await revokeKeysOfMaker({ queries: tx, clock }, { merchantId, personId, role });
  for (const { id: keyId, name, mode } of keys) {
    const subject = { keyId, name, personId, reason: role === null ? 'MAKER_REMOVED' : 'MAKER_MAY_LESS' };
    await recordAction(
      { queries: tx, clock },
      visitor,
      { ...manager, ...organizationOf(by) },
      { ...REVOKE, subject, mode },
    );
  }
  return { keysRevoked: keys.length, invitationsWithdrawn: invitations.length };
}

const REVOKE = {
  action: 'revoke-key',
  summary: 'Revoke a key with the rights of its maker',
  category: 'KEYS',
  outcome: 'DONE',
  code: null,
} as const;

const organizationOf = ({ merchantId }: Manager) =>
  ({ kind: merchantId === null ? 'OPERATOR' : 'MEMBER', merchant_id: merchantId }) as const;
