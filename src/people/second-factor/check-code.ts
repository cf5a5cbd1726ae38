import type { Tx } from '../../platform/db/database.ts';
import { attemptsOfSecondFactor, countAttempts, returnAttempts } from '../attempts.ts';
import type { PeopleDeps } from '../deps.ts';
import { secondFactorInvalid } from '../errors.ts';
import { lockSecondFactor, updateRecoveryCodeUsed, updateTotpStep } from './queries.ts';
import { hashOfRecoveryCode } from './recovery-codes.ts';
import { openTotp, stepOfCode } from './totp.ts';

const SIX_DIGITS = /^\d{3}\s?\d{3}$/;

/**
 * Takes a code of the person's app, or a recovery code. Each counts once: the app's by its half minute, under the row's
 * lock, a recovery code by being taken out. A try is counted before the code is looked at, as with passwords.
 * @throws AppError 422 `SECOND_FACTOR_INVALID`; 423 `SIGN_IN_LOCKED`.
 */
export async function checkCode(deps: PeopleDeps, input: { personId: string; code: string }): Promise<void> {
  const { database, clock } = deps;
  const { personId } = input;
  const counted = attemptsOfSecondFactor(personId);
  await countAttempts({ queries: database, clock }, counted);
  const code = input.code.trim();
  await database.transaction(async (tx) => {
    if (SIX_DIGITS.test(code)) await takeTotp(deps, tx, personId, code.replace(/\s/, ''));
    else await takeRecoveryCode(deps, tx, { personId, code });
    await returnAttempts(tx, counted);
  });
}

async function takeTotp({ secrets, clock }: PeopleDeps, tx: Tx, personId: string, code: string): Promise<void> {
  const [row] = await tx.query(lockSecondFactor, [personId]);
  if (row === undefined || row.totp_sealed === null) throw secondFactorInvalid();
  const step = stepOfCode(openTotp(secrets, personId, row.totp_sealed), code, clock.now());
  if (step === undefined || step <= row.totp_last_step) throw secondFactorInvalid();
  await tx.query(updateTotpStep, [personId, step]);
}

async function takeRecoveryCode(
  { secrets }: PeopleDeps,
  tx: Tx,
  { personId, code }: { personId: string; code: string },
): Promise<void> {
  const [row] = await tx.query(lockSecondFactor, [personId]);
  if (row === undefined) throw secondFactorInvalid();
  const hash = await hashOfRecoveryCode(secrets, row.recovery_pepper_ids, { personId, code });
  if ((await tx.query(updateRecoveryCodeUsed, [personId, hash])).length === 0) throw secondFactorInvalid();
}
