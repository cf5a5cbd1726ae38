import type { SignedIn } from '../../access/index.ts';
import { queueMail } from '../../mail/index.ts';
import { attemptsOfSecondFactor, countAttempts, returnAttempts } from '../attempts.ts';
import type { PeopleDeps } from '../deps.ts';
import { secondFactorInvalid, secondFactorOff, secondFactorOn } from '../errors.ts';
import { secondFactorMail } from '../links/mails.ts';
import { endSessionsOf } from '../sessions/end-session.ts';
import {
  lockSecondFactor,
  updateRecoveryCodes,
  updateTotpDisabled,
  updateTotpEnabled,
  updateTotpWaiting,
} from './queries.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { makeTotp, openTotp, sealTotp, stepOfCode } from './totp.ts';

/** A secret for the person's app. It counts once a code of it was given. @throws AppError 409 `SECOND_FACTOR_ON`. */
export async function startSecondFactor(
  { database, secrets }: PeopleDeps,
  session: SignedIn,
): Promise<{ secret: string; uri: string }> {
  const made = makeTotp(session.email);
  const sealed = sealTotp(secrets, session.personId, made.secret);
  if ((await database.query(updateTotpWaiting, [session.personId, sealed])).length === 0) throw secondFactorOn();
  return made;
}

/**
 * Turns the second factor on with the first code of the app, and gives the recovery codes, once. Other sessions end: they
 * were begun without it.
 * @throws AppError 422 `SECOND_FACTOR_INVALID`; 409 `SECOND_FACTOR_ON`, `SECOND_FACTOR_OFF` where none was started;
 *   423 `SIGN_IN_LOCKED`.
 */
export async function enableSecondFactor(deps: PeopleDeps, session: SignedIn, code: string): Promise<string[]> {
  const { database, secrets, clock, sessions } = deps;
  const { personId } = session;
  const counted = attemptsOfSecondFactor(personId);
  await countAttempts({ queries: database, clock }, counted);
  const { codes, hashes, pepperIds } = makeRecoveryCodes(secrets, personId);
  await database.transaction(async (tx) => {
    const [row] = await tx.query(lockSecondFactor, [personId]);
    if (row?.totp_sealed != null) throw secondFactorOn();
    if (row?.totp_waiting_sealed == null) throw secondFactorOff();
    const step = stepOfCode(openTotp(secrets, personId, row.totp_waiting_sealed), code.replace(/\s/g, ''), clock.now());
    if (step === undefined) throw secondFactorInvalid();
    await tx.query(updateTotpEnabled, [personId, step, hashes, pepperIds]);
    await returnAttempts(tx, counted);
    await endSessionsOf(tx, personId, session.sessionId);
    await queueMail({ queries: tx, secrets, clock }, secondFactorMail(session.email, true, clock.now()));
  });
  sessions.forget(personId);
  return codes;
}

/** @throws AppError 409 `SECOND_FACTOR_OFF`. */
export async function disableSecondFactor(deps: PeopleDeps, session: SignedIn): Promise<void> {
  const { database, secrets, clock, sessions } = deps;
  await database.transaction(async (tx) => {
    const changed = await tx.query(updateTotpDisabled, [session.personId]);
    if (changed.length === 0) throw secondFactorOff();
    await queueMail({ queries: tx, secrets, clock }, secondFactorMail(session.email, false, clock.now()));
  });
  sessions.forget(session.personId);
}

/** New recovery codes; the ones before are worth nothing any more. @throws AppError 409 `SECOND_FACTOR_OFF`. */
export async function renewRecoveryCodes(deps: PeopleDeps, session: SignedIn): Promise<string[]> {
  const { database, secrets, sessions } = deps;
  const { codes, hashes, pepperIds } = makeRecoveryCodes(secrets, session.personId);
  const changed = await database.query(updateRecoveryCodes, [session.personId, hashes, pepperIds]);
  if (changed.length === 0) throw secondFactorOff();
  sessions.forget(session.personId);
  return codes;
}
