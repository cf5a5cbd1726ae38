import type { PersonKind, Role } from '../access/index.ts';
import { setInsert, statement } from '../platform/db/statement.ts';

export interface PersonRow {
  id: string;
  kind: PersonKind;
  merchant_id: string | null;
  email: string;
  first_name: string;
  last_name: string;
  role: Role | null;
  password_hash: string;
  disabled_at: Date | null;
  second_factor: boolean;
  created_at: Date;
  /** Null: they have never signed in. */
  last_seen_at: Date | null;
}

const PERSON = `id, kind, merchant_id, email, first_name, last_name, role, password_hash, disabled_at,
  totp_sealed is not null as second_factor, created_at, last_seen_at`;

export const insertPerson = setInsert<{
  id: string;
  kind: string;
  merchant_id: string | null;
  role: string | null;
  first_name: string;
  last_name: string;
  email: string;
  password_hash: string;
  created_at: Date;
}>('people', {
  id: 'uuid',
  kind: 'text',
  merchant_id: 'uuid',
  role: 'text',
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  password_hash: 'text',
  created_at: 'timestamptz',
});

/** Case of the address does not matter: all are stored in lower case. */
export const findPersonByEmail = statement<PersonRow>(
  'find-person-by-email',
  `select ${PERSON} from people where email = $1`,
);

export const findPerson = statement<PersonRow>('find-person', `select ${PERSON} from people where id = $1`);

/** Nobody changes the password until this transaction has ended. No row: it was changed, or the person removed. */
export const lockPersonWithPassword = statement<{ id: string }>(
  'lock-person-with-password',
  'select id from people where id = $1 and password_hash = $2 and disabled_at is null for update',
);

export const updatePersonPassword = statement<{ id: string }>(
  'update-person-password',
  'update people set password_hash = $2 where id = $1 and disabled_at is null returning id',
);

/** Counts one attempt, and locks with the last one that is allowed. No row comes back while it is locked. */
export const upsertSignInAttempt = statement<{ attempts: number }>(
  'upsert-sign-in-attempt',
  `insert into sign_in_attempts as s (email_hash, attempts, last_attempt_at, locked_until) values ($1, 1, $2, null)
   on conflict (email_hash) do update
      set attempts = case when s.last_attempt_at <= $3 then 1 else s.attempts + 1 end,
          last_attempt_at = excluded.last_attempt_at,
          locked_until = case when s.last_attempt_at > $3 and s.attempts + 1 >= $4 then $5::timestamptz end
    where s.locked_until is null or s.locked_until <= $2
   returning attempts`,
);

/** A right password was one attempt too many at most: without it, the lock has no reason left. */
export const updateSignInAttemptReleased = statement(
  'update-sign-in-attempt-released',
  'update sign_in_attempts set attempts = greatest(attempts - 1, 0), locked_until = null where email_hash = $1',
);

export const findSignInLock = statement<{ locked_until: Date | null }>(
  'find-sign-in-lock',
  'select locked_until from sign_in_attempts where email_hash = $1',
);

export const deleteOldSignInAttempts = statement(
  'delete-old-sign-in-attempts',
  'delete from sign_in_attempts where last_attempt_at < $1',
);

/** $1 merchant, $2 roles. */
export const listPeopleOfRoles = statement<{ id: string; email: string }>(
  'list-people-of-roles',
  `select id, email from people
    where merchant_id = $1 and kind = 'MEMBER' and disabled_at is null and role = any($2::text[])
    order by id`,
);
