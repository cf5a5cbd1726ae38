import { nameOfPerson, type SignedIn, type Visitor } from '../access/index.ts';
import { notifyOperators, notifyOwners, type SecurityNotice } from '../mail/index.ts';
import { type Clock, lagosClock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { cleanedText } from '../platform/text.ts';
import type { PeopleDeps } from './deps.ts';
import { normalEmail } from './email.ts';
import { sessionNotFound } from './errors.ts';
import type { PersonRow } from './queries.ts';
import {
  hashesOfSecret,
  hashOfSecret,
  isSecret,
  LIFETIME_MS,
  MFA_PENDING_LIFETIME_MS,
  makeSecret,
  PREVIOUS_MS,
  STEP_UP_MS,
} from './session-gate.ts';
import {
  deleteOldDevices,
  deleteOldSessions,
  deleteSession,
  deleteSessionBySecret,
  deleteSessionsOfPerson,
  deleteSurplusSessions,
  findKnownDevice,
  insertDevice,
  insertSession,
  type KnownBrowser,
  updateDeviceSeen,
  updateSessionSecret,
} from './session-queries.ts';

/** The longest time that a browser keeps the cookie. */
const FORGET_MS = 400 * 24 * 60 * 60_000;
const MAX_DEVICE_TEXT = 200;

interface DeviceDeps {
  queries: Queries;
  secrets: Secrets;
  clock: Clock;
}

/**
 * Notes that a person signed in from this browser, in the transaction that signs them in. Where the browser was never
 * seen with them before, they and the owners of their business (or all of the operator's staff) are notified by mail;
 * the browser in which an account begins is not reported.
 * @returns the secret that the browser keeps.
 */
export async function noteDevice(
  deps: DeviceDeps,
  person: Pick<PersonRow, 'id' | 'merchant_id' | 'email' | 'first_name' | 'last_name'>,
  visitor: Visitor,
  { isFirst }: { isFirst: boolean },
): Promise<string> {
  const { queries, secrets, clock } = deps;
  const now = clock.now();
  const kept = visitor.deviceSecret;
  const secret = kept !== undefined && isSecret(kept) ? kept : makeSecret();
  const hashes = secrets.hmacs('device', secret);
  if ((await queries.query(updateDeviceSeen, [person.id, hashes, now])).length > 0) return secret;
  await queries.query(insertDevice, [person.id, hashes[0], now]);
  if (!isFirst) await notify(deps, person, visitor, now);
  return secret;
}

/** What of this browser is known, where the person of this address signed in with it before. */
export async function findKnownBrowser(
  { queries, secrets }: Pick<DeviceDeps, 'queries' | 'secrets'>,
  email: string,
  { deviceSecret }: Visitor,
): Promise<KnownBrowser | undefined> {
  if (deviceSecret === undefined || !isSecret(deviceSecret)) return undefined;
  const [known] = await queries.query(findKnownDevice, [normalEmail(email), secrets.hmacs('device', deviceSecret)]);
  return known;
}

async function notify(
  deps: DeviceDeps,
  { merchant_id: merchantId, email, first_name: firstName, last_name: lastName }: Parameters<typeof noteDevice>[1],
  { ip, userAgent }: Visitor,
  at: Date,
): Promise<void> {
  const name = nameOfPerson({ firstName, lastName, email });
  const who = name === email ? email : `${name} (${email})`;
  const browser = cleanedText(userAgent.slice(0, MAX_DEVICE_TEXT)) || 'a browser that does not say what it is';
  const notice = (organization: string): SecurityNotice => ({
    subject: `A new browser signed in to ${organization}`,
    paragraphs: [
      `${who} signed in to ${organization} on ${lagosClock(at)} Lagos time, from a browser that was not used with this account before: ${browser}, at the address ${ip}.`,
      `If that was not ${name}, they choose a new password now, which ends every session, and look under "Your sign-in and sessions".`,
    ],
  });
  if (merchantId === null) await notifyOperators(deps, notice('the operator\u2019s pages'), [email]);
  else await notifyOwners(deps, merchantId, notice, [email]);
}

/** Removes browsers whose cookies have expired. */
export async function sweepDevices({ database, clock }: { database: Queries; clock: Clock }): Promise<number> {
  return (await database.query(deleteOldDevices, [new Date(clock.now().getTime() - FORGET_MS)])).length;
}

/** More devices than anybody has; the oldest sign-in makes room. Pending sessions are counted separately. */
export const MAX_SESSIONS_OF_PERSON = 20;
const MAX_USER_AGENT_LENGTH = 300;

/** A session for a browser: its secret is stored nowhere else. */
export interface OpenedSession {
  sessionId: string;
  secret: string;
  expiresAt: Date;
  /** A second secret for the browser; only with a full session. */
  deviceSecret?: string;
}

/** Opens a session for a person who has just proved who they are. The one that their browser had before ends. */
export async function openSession(
  { queries, secrets, clock }: { queries: Queries; secrets: Secrets; clock: Clock },
  input: {
    personId: string;
    stage: 'MFA_PENDING' | 'FULL';
    passwordGiven: boolean;
    visitor: Visitor;
    secretBefore: string | undefined;
  },
): Promise<OpenedSession> {
  const now = clock.now();
  const secret = makeSecret();
  const sessionId = newId();
  const expiresAt = new Date(now.getTime() + (input.stage === 'MFA_PENDING' ? MFA_PENDING_LIFETIME_MS : LIFETIME_MS));
  const stepUpUntil = input.passwordGiven && input.stage === 'FULL' ? new Date(now.getTime() + STEP_UP_MS) : null;
  const { ip, userAgent } = input.visitor;
  await queries.query(insertSession, [
    sessionId,
    input.personId,
    input.stage,
    hashOfSecret(secrets, secret),
    now,
    expiresAt,
    stepUpUntil,
    ip,
    cleanedText(userAgent.slice(0, MAX_USER_AGENT_LENGTH)),
  ]);
  if (input.secretBefore !== undefined) {
    await queries.query(deleteSessionBySecret, [hashesOfSecret(secrets, input.secretBefore)]);
  }
  await queries.query(deleteSurplusSessions, [input.personId, input.stage, MAX_SESSIONS_OF_PERSON]);
  return { sessionId, secret, expiresAt };
}

/** Ends one session of a person, everywhere within two seconds. @throws AppError 404 `SESSION_NOT_FOUND`. */
export async function endSession(
  { database, sessions }: Pick<PeopleDeps, 'database' | 'sessions'>,
  input: { personId: string; sessionId: string },
): Promise<void> {
  const ended = await database.query(deleteSession, [input.personId, input.sessionId]);
  sessions.forget(input.personId);
  if (ended.length === 0) throw sessionNotFound();
}

/**
 * Ends all sessions of a person but `keep`, in the caller's transaction. The caller calls `sessions.forget` after the
 * commit.
 */
export async function endSessionsOf(queries: Queries, personId: string, keep?: string): Promise<number> {
  return (await queries.query(deleteSessionsOfPerson, [personId, keep ?? null])).length;
}

/** Removes sessions that have expired. */
export async function sweepSessions({ database, clock }: { database: Queries; clock: Clock }): Promise<number> {
  return (await database.query(deleteOldSessions, [clock.now()])).length;
}

/**
 * Gives a session a new secret, so that a copy of the old one is worth nothing. Undefined where another request of the
 * same browser was first; its answer carries the new secret.
 */
export async function rotateSecret(
  { database, secrets, clock, sessions }: PeopleDeps,
  input: { session: SignedIn; secret: string; stepUpUntil: Date | null },
  queries: Queries = database,
): Promise<string | undefined> {
  const made = makeSecret();
  const previousUntil = new Date(clock.now().getTime() + PREVIOUS_MS);
  const hashes = [hashesOfSecret(secrets, input.secret), hashOfSecret(secrets, made)];
  const { sessionId, personId } = input.session;
  const changed = await queries.query(updateSessionSecret, [sessionId, ...hashes, previousUntil, input.stepUpUntil]);
  sessions.forget(personId);
  return changed.length > 0 ? made : undefined;
}
