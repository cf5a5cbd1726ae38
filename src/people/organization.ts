import type { Static } from 'typebox';
import type { Role } from '../access/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { PeopleDeps } from './deps.ts';
import {
  approversMissing,
  lastOperator,
  lastOwner,
  ownersOnly,
  personNotFound,
  secondOperatorMissing,
} from './errors.ts';
import {
  type InvitationRow,
  listInvitations,
  listMembers,
  listOperators,
  lockMembers,
  lockOperators,
  type MemberRow,
  type Organization,
} from './member-queries.ts';
import { listPeopleOfRoles } from './queries.ts';
import { decides } from './request-change.ts';
import type { MemberSchema } from './schemas.ts';

/** Who manages people: of a merchant, or of the operator. */
export interface Manager {
  personId: string;
  name: string;
  merchantId: Organization;
}

/** All people of an organization, also those who were removed. */
export function membersOf(queries: Queries, merchantId: Organization): Promise<MemberRow[]> {
  return merchantId === null ? queries.query(listOperators) : queries.query(listMembers, [merchantId]);
}

/**
 * The same under their locks: what is decided by them is true at the commit. They are read once more after the locks
 * are held: a person who joined meanwhile is among them.
 */
export async function lockMembersOf(queries: Queries, merchantId: Organization): Promise<MemberRow[]> {
  await (merchantId === null ? queries.query(lockOperators) : queries.query(lockMembers, [merchantId]));
  return membersOf(queries, merchantId);
}

/** Requires that a person belongs to an organization, or did. @throws AppError 404 `PERSON_NOT_FOUND`. */
export async function requireKnown(queries: Queries, merchantId: Organization, personId: string): Promise<void> {
  const members = await membersOf(queries, merchantId);
  if (!members.some(({ id }) => id === personId)) throw personNotFound();
}

/** The manager, as they are now: they may have been removed or changed while they waited. @throws AppError 404. */
export function requireManager(members: readonly MemberRow[], by: Manager): MemberRow {
  const manager = members.find(({ id, disabled_at }) => id === by.personId && disabled_at === null);
  const mayManage = by.merchantId === null || manager?.role === 'OWNER' || manager?.role === 'ADMIN';
  if (manager === undefined || !mayManage) throw personNotFound();
  return manager;
}

/** Only an owner may change owners, and make them. @throws AppError 403 `OWNERS_ONLY`. */
export function requireOwnerFor(manager: MemberRow, ...roles: readonly (Role | null)[]): void {
  if (roles.includes('OWNER') && manager.role !== 'OWNER') throw ownersOnly();
}

/** One of the operator's staff needs another to agree. @throws AppError 422 `SECOND_OPERATOR_MISSING`. */
export function requireColleague(members: readonly MemberRow[], by: Manager): void {
  if (!members.some(({ id, disabled_at }) => id !== by.personId && disabled_at === null)) throw secondOperatorMissing();
}

/** @throws AppError 422 `LAST_OWNER`, `LAST_OPERATOR` where nobody would be left. */
export function requireSomebodyLeft(members: readonly MemberRow[], by: Manager, leaving: MemberRow): void {
  const others = members.filter(({ id, disabled_at }) => id !== leaving.id && disabled_at === null);
  if (by.merchantId === null && leaving.id === by.personId) throw lastOperator();
  if (leaving.role === 'OWNER' && !others.some(({ role }) => role === 'OWNER')) throw lastOwner();
}

/**
 * Requires that, while approvals are on, as many people who can decide stay as the rules need: otherwise nothing could
 * be approved, not even new rules. `role` is the new one; null where the person leaves. The people are locked: of two
 * changes at once the second sees the first.
 * @throws AppError 422 `APPROVERS_MISSING`.
 */
export async function requireDecidersLeft(
  queries: Queries,
  { approversNeeded }: Pick<PeopleDeps, 'approversNeeded'>,
  organization: { members: readonly MemberRow[]; by: Manager },
  { member, role }: { member: MemberRow; role: Role | null },
): Promise<void> {
  const { merchantId } = organization.by;
  if (merchantId === null || !decides(member.role) || decides(role)) return;
  const left = organization.members.filter(({ id, disabled_at, role: has }) => {
    return id !== member.id && disabled_at === null && decides(has);
  });
  const needed = await approversNeeded(queries, merchantId);
  if (left.length < needed) throw approversMissing(needed, left.length);
}

type PersonView = Static<typeof MemberSchema>;

/**
 * Everybody of an organization, invited people last. A person who was removed and is invited again is shown as invited.
 */
export async function listPeople(queries: Queries, merchantId: Organization, viewerId?: string): Promise<PersonView[]> {
  const [members, invitations] = await Promise.all([
    membersOf(queries, merchantId),
    queries.query(listInvitations, [merchantId]),
  ]);
  const invited = new Set(invitations.map(({ id }) => id));
  return [
    ...members.filter(({ id }) => !invited.has(id)).map((row) => memberView(row, viewerId)),
    ...invitations.map(invitationView),
  ];
}

function memberView(row: MemberRow, viewerId: string | undefined): PersonView {
  return {
    personId: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    role: row.role,
    status: row.disabled_at === null ? 'ACTIVE' : 'DISABLED',
    secondFactor: row.second_factor,
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    you: row.id === viewerId,
  };
}

function invitationView(row: InvitationRow): PersonView {
  return {
    personId: row.id,
    email: row.email,
    firstName: '',
    lastName: '',
    role: row.role,
    status: 'INVITED',
    secondFactor: false,
    lastSeenAt: null,
    createdAt: row.created_at.toISOString(),
    you: false,
  };
}

/** A merchant's people with one of these roles now, oldest first, without those who were removed or only invited. */
export function peopleOfRoles(
  queries: Queries,
  merchantId: string,
  roles: readonly Role[],
): Promise<{ id: string; email: string }[]> {
  return queries.query(listPeopleOfRoles, [merchantId, roles]);
}
