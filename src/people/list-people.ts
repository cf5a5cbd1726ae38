import type { Static } from 'typebox';
import type { Role } from '../access/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { type InvitationRow, listInvitations, type MemberRow, type Organization } from './member-queries.ts';
import type { MemberSchema } from './member-schemas.ts';
import { membersOf } from './organization.ts';
import { listPeopleOfRoles } from './queries.ts';

type PersonView = Static<typeof MemberSchema>;

/** Everybody of an organization, the invited last. Somebody who was removed and is invited again is shown as invited. */
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

/** A merchant's people who have one of these roles now, oldest first; nobody who was removed or only invited. */
export function peopleOfRoles(
  queries: Queries,
  merchantId: string,
  roles: readonly Role[],
): Promise<{ id: string; email: string }[]> {
  return queries.query(listPeopleOfRoles, [merchantId, roles]);
}
