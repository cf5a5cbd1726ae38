import type { Role } from '../access/index.ts';
import { setInsert, statement } from '../platform/db/statement.ts';
import type { Organization } from './member-queries.ts';

export const CHANGE_KINDS = ['INVITATION', 'ROLE', 'SECOND_FACTOR'] as const;
type ChangeKind = (typeof CHANGE_KINDS)[number];

type ChangeStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | 'VOID';

/** Something about people that a second person has to agree to. */
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

/** What is asked for again replaces what waits. */
export const updateChangeReplaced = statement(
  'update-people-change-replaced',
  `update people_changes set status = 'VOID', decided_at = $4
    where merchant_id is not distinct from $1 and email = $2 and kind = $3 and status = 'PENDING'`,
);

/** Of an organization: what one of its people is the subject of. */
export const updateChangesOfSubjectVoid = statement(
  'update-people-changes-of-subject-void',
  `update people_changes set status = 'VOID', decided_at = $3
    where merchant_id is not distinct from $1 and subject_id = $2 and status = 'PENDING'`,
);

/** Of an organization: what one of its people asked for. */
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

/** Whom a person brought in, and who brought them in, since a moment. $1 the person, $2 the moment. */
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
