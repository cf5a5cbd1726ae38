import { statement } from '../../platform/db/statement.ts';

export interface SecondFactorRow {
  totp_sealed: string | null;
  totp_waiting_sealed: string | null;
  totp_last_step: bigint;
}

export const lockSecondFactor = statement<SecondFactorRow>(
  'lock-second-factor',
  'select totp_sealed, totp_waiting_sealed, totp_last_step from people where id = $1 for update',
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
     recovery_hashes = $3
    where id = $1`,
);

export const updateTotpDisabled = statement<{ id: string }>(
  'update-totp-disabled',
  `update people set totp_sealed = null, totp_waiting_sealed = null, recovery_hashes = '{}'
    where id = $1 and totp_sealed is not null returning id`,
);

export const updateRecoveryCodes = statement<{ id: string }>(
  'update-recovery-codes',
  'update people set recovery_hashes = $2 where id = $1 and totp_sealed is not null returning id',
);
