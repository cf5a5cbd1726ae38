import { setStatement, statement } from '../platform/db/statement.ts';
import type { PepperCount } from '../platform/keyed-hash.ts';

const FIRST_PEPPER = '(select array[id] from peppers order by first_used_at, id limit 1)';

interface SecondFactorRow {
  totp_sealed: string | null;
  totp_waiting_sealed: string | null;
  totp_last_step: bigint;
  /** Under which peppers the recovery codes are. */
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

/** Page after page: after $1, those whose codes were not hashed under $2 last; $3 how many. */
export const listRecoveryCodesNotUnder = statement<{ id: string; recovery_hashes: string[] }>(
  'list-recovery-codes-not-under-pepper',
  `select id, recovery_hashes from people
    where id > $1::uuid and cardinality(recovery_hashes) > 0
      and (recovery_pepper_ids is null or recovery_pepper_ids[cardinality(recovery_pepper_ids)] <> $2::text)
    order by id limit $3`,
);

/** Lists of hashes as JSON: as they were and as they are. */
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
     from :rows where people.id = rows.id and to_jsonb(people.recovery_hashes) = rows.before`,
);

export const updateRecoveryCodesForgotten = statement(
  'update-recovery-codes-forgotten',
  `update people set recovery_hashes = '{}'
    where cardinality(recovery_hashes) > 0 and $1::text = any(coalesce(recovery_pepper_ids, ${FIRST_PEPPER}))`,
);

export const updateTotpStep = statement('update-totp-step', 'update people set totp_last_step = $2 where id = $1');

/** Takes a recovery code out, so that it counts once. No row: there was no such code. */
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
