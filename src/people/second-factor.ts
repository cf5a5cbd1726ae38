import { Secret, TOTP } from 'otpauth';
import type { SignedIn } from '../access/index.ts';
import { queueMail } from '../mail/index.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { attemptsOfSecondFactor, countAttempts, releaseAttempts } from './attempts.ts';
import type { PeopleDeps } from './deps.ts';
import { requirePersonByEmail } from './email.ts';
import { secondFactorInvalid, secondFactorOff, secondFactorOn } from './errors.ts';
import { secondFactorMail, secondFactorResetMail } from './mails.ts';
import type { MemberRow } from './member-queries.ts';
import { lockMembersOf } from './organization.ts';
import {
  lockSecondFactor,
  updateRecoveryCodes,
  updateRecoveryCodeUsed,
  updateTotpDisabled,
  updateTotpEnabled,
  updateTotpStep,
  updateTotpWaiting,
} from './queries.ts';
import { hashOfRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts';
import { agreementsOf, notifyOrganization, requestChange, resetNotice } from './request-change.ts';
import { endSessionsOf } from './session.ts';

const ISSUER = 'Manilla';
/** What authenticator apps expect; some accept nothing else. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** A clock may be off by half a minute. */
const WINDOW = 1;

/** A secret as the database stores it: it opens on its own person's row only. */
function sealTotp(secrets: Secrets, personId: string, secret: string): string {
  return secrets.seal(secret, contextOf(personId));
}

function openTotp(secrets: Secrets, personId: string, sealed: string): string {
  return secrets.open(sealed, contextOf(personId));
}

function contextOf(personId: string): string {
  return `people/${personId}/totp`;
}

/** A secret to type, and the address for a QR code. */
function makeTotp(email: string): { secret: string; uri: string } {
  const totp = new TOTP({ ...SETTINGS, issuer: ISSUER, label: email, secret: new Secret({ size: SECRET_BYTES }) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The half minute of a code, counted since 1970; undefined for a code of no half minute about now. */
function stepOfCode(secret: string, code: string, now: Date): bigint | undefined {
  const totp = new TOTP({ ...SETTINGS, secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const off = totp.validate({ token: code, timestamp, window: WINDOW });
  return off === null ? undefined : BigInt(totp.counter({ timestamp }) + off);
}

const SIX_DIGITS = /^\d{3}\s?\d{3}$/;

/**
 * Accepts a code of the person's app, or a recovery code. Each counts once: an app's code by its half minute, under the
 * row's lock, a recovery code by being removed. An attempt is counted before the code is checked, as with passwords.
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
    await releaseAttempts(tx, counted);
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

/**
 * Makes a secret for the person's app. It is used once a code of it was given.
 * @throws AppError 409 `SECOND_FACTOR_ON`.
 */
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
 * Turns the second factor on with the first code of the app, and returns the recovery codes, once. Other sessions end:
 * they were begun without it.
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
    await releaseAttempts(tx, counted);
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

/** Makes new recovery codes; the earlier ones are void. @throws AppError 409 `SECOND_FACTOR_OFF`. */
export async function renewRecoveryCodes(deps: PeopleDeps, session: SignedIn): Promise<string[]> {
  const { database, secrets, sessions } = deps;
  const { codes, hashes, pepperIds } = makeRecoveryCodes(secrets, session.personId);
  const changed = await database.query(updateRecoveryCodes, [session.personId, hashes, pepperIds]);
  if (changed.length === 0) throw secondFactorOff();
  sessions.forget(session.personId);
  return codes;
}

interface ResetInput {
  email: string;
  /** Why; the people who have to agree read it. */
  reason: string;
  /** Who uses the terminal. */
  actor: string;
  /** None of the operator's staff can sign in to agree: the terminal alone does it for one of them. */
  nobodyLeft: boolean;
}

/** The result: done, with the number of ended sessions, or waiting for a second person. */
type ResetDone = { personId: string } & ({ sessionsEnded: number } | { changeId: string });

/**
 * The operator's way out for somebody who lost the app and the recovery codes, and whom nobody else can help: their second
 * factor is off, and their sessions end everywhere within two seconds. At a merchant whose approvals are on, and for one
 * of several of the operator's staff, it waits until somebody else who decides there has agreed. They, and every owner,
 * are notified by mail.
 * @throws AppError 404 `PERSON_NOT_FOUND` where nobody who may sign in has the address; 409 `SECOND_FACTOR_OFF`.
 */
export async function resetSecondFactor(
  deps: Pick<PeopleDeps, 'database' | 'secrets' | 'clock' | 'approversNeeded'>,
  input: ResetInput,
): Promise<ResetDone> {
  const person = await requirePersonByEmail(deps.database, input.email);
  const { id: personId, email, merchant_id: merchantId } = person;
  return deps.database.transaction(async (tx) => {
    const members = await lockMembersOf(tx, merchantId);
    if (members.find(({ id }) => id === personId)?.second_factor !== true) throw secondFactorOff();
    const needed = await agreementsForReset(deps, tx, { ...input, personId, merchantId, members });
    if (needed > 0) {
      const madeBy = { personId: null, name: `The operator’s terminal (${input.actor})` };
      const about = { kind: 'SECOND_FACTOR', merchantId, subjectId: personId, email, role: null } as const;
      const change = { ...about, reason: input.reason, needed, madeBy };
      return { personId, ...(await requestChange(deps, tx, change, members)) };
    }
    const sessionsEnded = await switchSecondFactorOff(deps, tx, { personId, email });
    const on = { queries: tx, secrets: deps.secrets, clock: deps.clock };
    await notifyOrganization(on, merchantId, resetNotice(email, input.reason));
    return { personId, sessionsEnded };
  });
}

async function agreementsForReset(
  deps: Pick<PeopleDeps, 'approversNeeded'>,
  tx: Tx,
  about: Pick<ResetInput, 'nobodyLeft'> & {
    personId: string;
    merchantId: string | null;
    members: readonly MemberRow[];
  },
): Promise<number> {
  const { personId, merchantId, members, nobodyLeft } = about;
  if (merchantId !== null) return agreementsOf(deps, tx, merchantId);
  const others = members.filter(({ id, disabled_at }) => id !== personId && disabled_at === null);
  return nobodyLeft || others.length === 0 ? 0 : 1;
}

/**
 * In the caller's transaction: switches the second factor off, ends the person's sessions, and notifies them.
 * @returns how many sessions ended.
 * @throws AppError 409 `SECOND_FACTOR_OFF`.
 */
export async function switchSecondFactorOff(
  { secrets, clock }: Pick<PeopleDeps, 'secrets' | 'clock'>,
  tx: Tx,
  { personId, email }: { personId: string; email: string },
): Promise<number> {
  await tx.query(lockSecondFactor, [personId]);
  const changed = await tx.query(updateTotpDisabled, [personId]);
  if (changed.length === 0) throw secondFactorOff();
  const ended = await endSessionsOf(tx, personId);
  await queueMail({ queries: tx, secrets, clock }, secondFactorResetMail(email, clock.now()));
  return ended;
}
