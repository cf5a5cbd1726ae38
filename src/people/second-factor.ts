import { Secret, TOTP } from 'otpauth';
import type { SignedIn } from '../access/index.ts';
import { queueMail } from '../mail/index.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { attemptsOfSecondFactor, countAttempts, returnAttempts } from './attempts.ts';
import type { PeopleDeps } from './deps.ts';
import { secondFactorInvalid, secondFactorOff, secondFactorOn } from './errors.ts';
import { secondFactorMail } from './mails.ts';
import { hashOfRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts';
import {
  lockSecondFactor,
  updateRecoveryCodes,
  updateRecoveryCodeUsed,
  updateTotpDisabled,
  updateTotpEnabled,
  updateTotpStep,
  updateTotpWaiting,
} from './second-factor-queries.ts';
import { endSessionsOf } from './session.ts';

const ISSUER = 'Manilla';
/** What authenticator apps expect, and some take nothing else. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** A clock that is half a minute off is still somebody's own. */
const WINDOW = 1;

/** A secret as the database keeps it: it opens on its own person's row only. */
function sealTotp(secrets: Secrets, personId: string, secret: string): string {
  return secrets.seal(secret, contextOf(personId));
}

function openTotp(secrets: Secrets, personId: string, sealed: string): string {
  return secrets.open(sealed, contextOf(personId));
}

function contextOf(personId: string): string {
  return `people/${personId}/totp`;
}

/** A secret to type and the address that a QR code shows. */
function makeTotp(email: string): { secret: string; uri: string } {
  const totp = new TOTP({ ...SETTINGS, issuer: ISSUER, label: email, secret: new Secret({ size: SECRET_BYTES }) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The half minute that a code belongs to, counted since 1970; undefined for a code of no half minute about now. */
function stepOfCode(secret: string, code: string, now: Date): bigint | undefined {
  const totp = new TOTP({ ...SETTINGS, secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const off = totp.validate({ token: code, timestamp, window: WINDOW });
  return off === null ? undefined : BigInt(totp.counter({ timestamp }) + off);
}

const SIX_DIGITS = /^\d{3}\s?\d{3}$/;

/**
 * Takes a code of the person's app, or a recovery code. Each counts once: the app's by its half minute, under the row's
 * lock, a recovery code by being taken out. An attempt is counted before the code is looked at, as with passwords.
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
