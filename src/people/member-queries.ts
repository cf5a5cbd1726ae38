import type { Role } from '../access/index.ts';
import { setInsert, statement } from '../platform/db/statement.ts';

/** The organization that people belong to: a merchant, or, as null, the operator. */
export type Organization = string | null;

export interface MemberRow {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: Role | null;
  disabled_at: Date | null;
  second_factor: boolean;
  last_seen_at: Date | null;
  created_at: Date;
}

export interface InvitationRow {
  id: string;
  merchant_id: Organization;
  role: Role | null;
  email: string;
  invited_by: string;
  /** Whether a second person agreed; null: it was made by a release that did not ask. */
  is_approved: boolean | null;
  created_at: Date;
}

const MEMBER = `id, email, first_name, last_name, role, disabled_at, totp_sealed is not null as second_factor, last_seen_at,
  created_at`;

export const listMembers = statement<MemberRow>(
  'list-members',
  `select ${MEMBER} from people where merchant_id = $1 order by id`,
);

export const listOperators = statement<MemberRow>(
  'list-operators',
  `select ${MEMBER} from people where kind = 'OPERATOR' order by id`,
);

/** All people of an organization, in one order everywhere: one change of people waits for another. */
export const lockMembers = statement<MemberRow>(
  'lock-members',
  `select ${MEMBER} from people where merchant_id = $1 order by id for update`,
);

export const lockOperators = statement<MemberRow>(
  'lock-operators',
  `select ${MEMBER} from people where kind = 'OPERATOR' order by id for update`,
);

export const updatePersonRole = statement('update-person-role', 'update people set role = $2 where id = $1');

export const updatePersonDisabled = statement(
  'update-person-disabled',
  'update people set disabled_at = $2 where id = $1',
);

/** A person who was removed joins again, with nothing but the former id and address. */
export const updatePersonRejoined = statement<{ id: string }>(
  'update-person-rejoined',
  `update people set password_hash = $2, role = $3, first_name = $4, last_name = $5, disabled_at = null,
     totp_sealed = null, totp_waiting_sealed = null, recovery_hashes = '{}'
    where id = $1 and disabled_at is not null returning id`,
);

/** Inviting an address again changes the invitation that is there. */
export const upsertInvitation = statement<{ id: string }>(
  'update-invitation',
  `insert into invitations (id, merchant_id, role, email, invited_by, created_at, is_approved)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (merchant_id, email) do update
      set role = excluded.role, invited_by = excluded.invited_by, is_approved = excluded.is_approved
   returning id`,
);

export const findInvitation = statement<InvitationRow>('find-invitation', 'select * from invitations where id = $1');

export const listInvitations = statement<InvitationRow>(
  'list-invitations',
  'select * from invitations where merchant_id is not distinct from $1 order by id',
);

export const updateInvitationRole = statement<{ id: string }>(
  'update-invitation-role',
  `update invitations set role = $3, invited_by = coalesce($4, invited_by), is_approved = $5
    where id = $1 and merchant_id = $2 returning id`,
);

/** Together with the links that lead to them. */
export const deleteInvitationsSentBy = statement<{ id: string }>(
  'delete-invitations-sent-by',
  `with gone as (
     delete from invitations where invited_by = $1 and merchant_id is not distinct from $2 returning id
   ), dead as (
     delete from links using gone where links.subject_id = gone.id
   )
   select id from gone`,
);

export const deleteInvitation = statement<{ id: string }>(
  'delete-invitation',
  'delete from invitations where id = $1 and merchant_id is not distinct from $2 returning id',
);

export const CHANGE_KINDS = ['INVITATION', 'ROLE', 'SECOND_FACTOR'] as const;
type ChangeKind = (typeof CHANGE_KINDS)[number];

type ChangeStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | 'VOID';

/** A change of people that a second person has to agree to. */
export interface ChangeRow {
  id: string;
  merchant_id: Organization;
  kind: ChangeKind;
  subject_id: string;
  email: string;
  role: Role | null;
  role_before: Role | null;
  keep_keys: boolean;
  reason: string | null;
  made_by: string | null;
  made_by_name: string;
  made_at: Date;
  expires_at: Date;
  needed: number;
  approved_by: string[];
  status: ChangeStatus;
  decided_by: string | null;
  decided_at: Date | null;
}

export const insertChange = setInsert<Omit<ChangeRow, 'approved_by'>>('people_changes', {
  id: 'uuid',
  merchant_id: 'uuid',
  kind: 'text',
  subject_id: 'uuid',
  email: 'text',
  role: 'text',
  role_before: 'text',
  keep_keys: 'boolean',
  reason: 'text',
  made_by: 'uuid',
  made_by_name: 'text',
  made_at: 'timestamptz',
  expires_at: 'timestamptz',
  needed: 'integer',
  status: 'text',
  decided_by: 'uuid',
  decided_at: 'timestamptz',
});

/** A repeated request replaces the one that waits. */
export const updateChangeReplaced = statement(
  'update-people-change-replaced',
  `update people_changes set status = 'VOID', decided_at = $4
    where merchant_id is not distinct from $1 and email = $2 and kind = $3 and status = 'PENDING'`,
);

/** Voids changes of an organization that are about one of its people, or about an address that is invited to it. */
export const updateChangesAboutVoid = statement(
  'update-people-changes-about-void',
  `update people_changes set status = 'VOID', decided_at = $3
    where merchant_id is not distinct from $1 and email = $2 and status = 'PENDING'`,
);

/** Voids changes that one of an organization's people requested. */
export const updateChangesOfMakerVoid = statement(
  'update-people-changes-of-maker-void',
  `update people_changes set status = 'VOID', decided_at = $3
    where merchant_id is not distinct from $1 and made_by = $2 and status = 'PENDING'`,
);

export const updateChangesExpired = statement<{ id: string }>(
  'update-people-changes-expired',
  `update people_changes set status = 'EXPIRED', decided_at = $1 where status = 'PENDING' and expires_at <= $1
   returning id`,
);

/** What waits in an organization, newest first. */
export const listChangesWaiting = statement<ChangeRow>(
  'list-people-changes-waiting',
  `select * from people_changes
    where merchant_id is not distinct from $1 and status = 'PENDING' and expires_at > $2
    order by id desc`,
);

export const lockChange = statement<ChangeRow>(
  'lock-people-change',
  'select * from people_changes where id = $1 and merchant_id is not distinct from $2 for update',
);

export const updateChangeDecided = statement(
  'update-people-change-decided',
  'update people_changes set status = $2, approved_by = $3, decided_by = $4, decided_at = $5 where id = $1',
);

/**
 * The people that a person brought in, and those who brought the person in, since a given time. $1 the person, $2 the
 * time.
 */
export const listBroughtIn = statement<{ other_id: string; other_email: string; since: Date }>(
  'list-brought-in',
  `select other.id as other_id, other.email as other_email, me.role_given_at as since
     from people me join people other on other.id = me.role_given_by
    where me.id = $1 and me.role_given_at > $2
    union all
   select id, email, role_given_at from people where role_given_by = $1 and role_given_at > $2`,
);

export const updateRoleGiven = statement(
  'update-role-given',
  'update people set role_given_by = $2, role_given_at = $3 where id = $1',
);
