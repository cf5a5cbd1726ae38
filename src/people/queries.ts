import type { PersonKind, Role } from '../access/index.ts';
import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { PepperCount } from '../platform/keyed-hash.ts';

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
  /** Null: the person has never signed in. */
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

/** Nobody changes the password until this transaction has ended. No row: it was changed, or the person was removed. */
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

/** A right password was one attempt too many at most: without it, the lock has no reason any more. */
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

export interface SignUpRow {
  id: string;
  email: string;
}

export const insertSignUp = statement(
  'insert-sign-up',
  'insert into sign_ups (id, email, created_at) values ($1, $2, $3)',
);

export const findSignUp = statement<SignUpRow>('find-sign-up', 'select id, email from sign_ups where id = $1');

export const deleteSignUp = statement<SignUpRow>(
  'delete-sign-up',
  'delete from sign_ups where id = $1 returning id, email',
);

/** Together with the links that lead to them. */
export const deleteSignUpsOf = statement(
  'delete-sign-ups-of-address',
  `with gone as (delete from sign_ups where email = $1 returning id)
   delete from links using gone where links.subject_id = gone.id`,
);

export const deleteOldSignUps = statement<{ id: string }>(
  'delete-old-sign-ups',
  'delete from sign_ups where created_at < $1 returning id',
);

export type LinkPurpose = 'CONFIRM' | 'RESET' | 'INVITATION';

export const insertLink = statement(
  'insert-link',
  `insert into links (token_hash, purpose, subject_id, created_at, expires_at) values ($1, $2, $3, $4, $5)`,
);

/** Another transaction that waits for the same link finds it gone. */
export const deleteLink = statement<{ subject_id: string }>(
  'delete-link',
  'delete from links where token_hash = any($1::text[]) and purpose = $2 and expires_at > $3 returning subject_id',
);

export const findLink = statement<{ subject_id: string }>(
  'find-link',
  'select subject_id from links where token_hash = any($1::text[]) and purpose = $2 and expires_at > $3',
);

export const deleteLinksOf = statement('delete-links-of-subject', 'delete from links where subject_id = $1');

export const deleteOldLinks = statement<{ token_hash: string }>(
  'delete-old-links',
  'delete from links where expires_at < $1 returning token_hash',
);

const FIRST_PEPPER = '(select array[id] from peppers order by first_used_at, id limit 1)';

interface SecondFactorRow {
  totp_sealed: string | null;
  totp_waiting_sealed: string | null;
  totp_last_step: bigint;
  /** The peppers of the recovery codes. */
  recovery_pepper_ids: string[] | null;
}

export const lockSecondFactor = statement<SecondFactorRow>(
  'lock-second-factor',
  `select totp_sealed, totp_waiting_sealed, totp_last_step,
     coalesce(recovery_pepper_ids, ${FIRST_PEPPER}) as recovery_pepper_ids
   from people where id = $1 for update`,
);

export const countRecoveryCodesByPepper = statement<PepperCount>(
  'count-recovery-codes-by-pepper',
  `select pepper_id, count(*)::int as rows, (count(*) filter (where layers = 1))::int as alone
     from (select unnest(ids) as pepper_id, cardinality(ids) as layers
             from (select coalesce(recovery_pepper_ids, ${FIRST_PEPPER}) as ids from people
                    where cardinality(recovery_hashes) > 0) as stored) as layer
    group by pepper_id`,
);

/** Page after page: after $1, people whose codes were last not hashed under $2; $3 how many. */
export const listRecoveryCodesNotUnder = statement<{ id: string; recovery_hashes: string[] }>(
  'list-recovery-codes-not-under-pepper',
  `select id, recovery_hashes from people
    where id > $1::uuid and cardinality(recovery_hashes) > 0
      and (recovery_pepper_ids is null or recovery_pepper_ids[cardinality(recovery_pepper_ids)] <> $2::text)
    order by id limit $3`,
);

/** Lists of hashes as JSON: the former and the present ones. */
export const updateRecoveryCodesRehashed = setStatement<{
  id: string;
  before: string;
  hashes: string;
  pepper_id: string;
}>(
  'update-recovery-codes-hashed-over',
  { id: 'uuid', before: 'jsonb', hashes: 'jsonb', pepper_id: 'text' },
  `update people set recovery_hashes = array(select jsonb_array_elements_text(rows.hashes)),
     recovery_pepper_ids = coalesce(people.recovery_pepper_ids, ${FIRST_PEPPER}) || rows.pepper_id
     from :rows
    where people.id = rows.id and people.recovery_hashes = array(select jsonb_array_elements_text(rows.before))`,
);

export const updateRecoveryCodesForgotten = statement(
  'update-recovery-codes-forgotten',
  `update people set recovery_hashes = '{}'
    where cardinality(recovery_hashes) > 0 and $1::text = any(coalesce(recovery_pepper_ids, ${FIRST_PEPPER}))`,
);

export const updateTotpStep = statement('update-totp-step', 'update people set totp_last_step = $2 where id = $1');

/** Removes a recovery code, so that it counts once. No row: there was no such code. */
export const updateRecoveryCodeUsed = statement<{ id: string }>(
  'update-recovery-code-used',
  `update people set recovery_hashes = array_remove(recovery_hashes, $2)
    where id = $1 and totp_sealed is not null and $2 = any(recovery_hashes) returning id`,
);

export const updateTotpWaiting = statement<{ id: string }>(
  'update-totp-waiting',
  'update people set totp_waiting_sealed = $2 where id = $1 and totp_sealed is null returning id',
);

export const updateTotpEnabled = statement(
  'update-totp-enabled',
  `update people set totp_sealed = totp_waiting_sealed, totp_waiting_sealed = null, totp_last_step = $2,
     recovery_hashes = $3, recovery_pepper_ids = $4::text[]
    where id = $1`,
);

export const updateTotpDisabled = statement<{ id: string }>(
  'update-totp-disabled',
  `update people set totp_sealed = null, totp_waiting_sealed = null, recovery_hashes = '{}'
    where id = $1 and totp_sealed is not null returning id`,
);

export const updateRecoveryCodes = statement<{ id: string }>(
  'update-recovery-codes',
  `update people set recovery_hashes = $2, recovery_pepper_ids = $3::text[]
    where id = $1 and totp_sealed is not null returning id`,
);
