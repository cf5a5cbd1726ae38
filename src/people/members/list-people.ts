import type { Static } from 'typebox';
import type { Queries } from '../../platform/db/database.ts';
import { membersOf } from './organization.ts';
import { type InvitationRow, listInvitations, type MemberRow, type Organization } from './queries.ts';
import type { MemberSchema } from './schemas.ts';

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
