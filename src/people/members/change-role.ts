import type { Role } from '../../access/index.ts';
import type { PeopleDeps } from '../deps.ts';
import { notYourself, personNotFound } from '../errors.ts';
import { deleteLinksOf } from '../links/queries.ts';
import { endSessionsOf } from '../sessions/end-session.ts';
import {
  lockMembersOf,
  type Manager,
  requireDecidersLeft,
  requireManager,
  requireOwnerFor,
  requireSomebodyLeft,
} from './house.ts';
import {
  deleteInvitation,
  findInvitation,
  updateInvitationRole,
  updatePersonDisabled,
  updatePersonRole,
} from './queries.ts';

/**
 * Gives a merchant's person, or one who is invited, another role; it counts everywhere within two seconds. The people of
 * the business are locked meanwhile, so two changes at once never leave it without an owner, or without approvers.
 * @throws AppError 404 `PERSON_NOT_FOUND`; 422 `NOT_YOURSELF`, `LAST_OWNER`, `APPROVERS_MISSING`; 403 `OWNERS_ONLY`.
 */
export async function changeRole(
  deps: PeopleDeps,
  input: { by: Manager; personId: string; role: Role },
): Promise<void> {
  const { database, sessions } = deps;
  const { by, personId, role } = input;
  if (personId === by.personId) throw notYourself();
  await database.transaction(async (tx) => {
    const members = await lockMembersOf(tx, by.merchantId);
    const manager = requireManager(members, by);
    const [invitation] = await tx.query(findInvitation, [personId]);
    if (invitation?.merchant_id === by.merchantId) {
      requireOwnerFor(manager, invitation.role, role);
      await tx.query(updateInvitationRole, [personId, by.merchantId, role]);
      return;
    }
    const member = members.find(({ id, disabled_at }) => id === personId && disabled_at === null);
    if (member === undefined) throw personNotFound();
    requireOwnerFor(manager, member.role, role);
    if (role !== 'OWNER') requireSomebodyLeft(members, by, member);
    await requireDecidersLeft(tx, deps, { members, by }, { member, role });
    await tx.query(updatePersonRole, [personId, role]);
  });
  sessions.forget(personId);
}

/**
 * Removes somebody: their sessions end everywhere within two seconds, and the address stays theirs. An invitation is
 * taken back. Owners may remove themselves while another owner is left.
 * @throws AppError 404 `PERSON_NOT_FOUND`; 422 `LAST_OWNER`, `LAST_OPERATOR`, `APPROVERS_MISSING`; 403 `OWNERS_ONLY`.
 */
export async function removePerson(deps: PeopleDeps, input: { by: Manager; personId: string }): Promise<void> {
  const { database, clock, sessions } = deps;
  const { by, personId } = input;
  await database.transaction(async (tx) => {
    const members = await lockMembersOf(tx, by.merchantId);
    const manager = requireManager(members, by);
    const [invitation] = await tx.query(findInvitation, [personId]);
    if (invitation !== undefined && invitation.merchant_id === by.merchantId) {
      requireOwnerFor(manager, invitation.role);
      await tx.query(deleteInvitation, [personId, by.merchantId]);
    } else {
      const member = members.find(({ id, disabled_at }) => id === personId && disabled_at === null);
      if (member === undefined) throw personNotFound();
      requireOwnerFor(manager, member.role);
      requireSomebodyLeft(members, by, member);
      await requireDecidersLeft(tx, deps, { members, by }, { member, role: null });
      await tx.query(updatePersonDisabled, [personId, clock.now()]);
      await endSessionsOf(tx, personId);
    }
    await tx.query(deleteLinksOf, [personId]);
  });
  sessions.forget(personId);
}
