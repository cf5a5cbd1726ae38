import { type PersonKind, type SignedIn, sessionExpired, type Visitor } from '../access/index.ts';
import { madeOnce } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import {
  attemptsAtTerminal,
  attemptsFrom,
  attemptsOfAccount,
  attemptsOfBrowser,
  attemptsOfSession,
  countAttempts,
  deleteOldAttempts,
  judgeCounted,
  releaseAttempts,
} from './attempts.ts';
import type { PeopleDeps } from './deps.ts';
import { normalEmail } from './email.ts';
import { operatorNotFound, passwordWrong, personNotFound, signInRefused } from './errors.ts';
import { hashPassword, passwordMatches } from './password.ts';
import { findPerson, findPersonByEmail, lockPersonWithPassword, type PersonRow } from './queries.ts';
import { recordAction } from './record-action.ts';
import { checkCode } from './second-factor.ts';
import {
  findKnownBrowser,
  MAX_SESSIONS_OF_PERSON,
  noteDevice,
  type OpenedSession,
  openSession,
  rotateSecret,
} from './session.ts';
import {
  hashesOfSecret,
  hashOfSecret,
  LIFETIME_MS,
  MFA_PENDING_LIFETIME_MS,
  makeSecret,
  STEP_UP_MS,
} from './session-gate.ts';
import type { KnownBrowser } from './session-queries.ts';
import { deleteSurplusSessions, updateSessionFull, updateSessionSeen } from './session-queries.ts';

/** Compared where the address is unknown, so that this takes as long as a wrong password. */
const hashOfNobody = madeOnce(() => hashPassword('nobody'));

/**
 * The person with this address and password. An attempt is counted before the password is checked, and no longer
 * counted when the password was right. So guesses that come at once, also in several processes, are limited in fifteen
 * minutes: five are checked in all browsers that are new to the person, five in each known browser, and fifty from one
 * network.
 * @throws AppError 401 `SIGN_IN_REFUSED`, the same for an unknown address, one who was removed and a wrong password;
 *   423 `SIGN_IN_LOCKED`, also for an address that is nobody's; 503 `OVERLOADED`.
 */
async function checkSignIn(
  { database, clock }: { database: Database; clock: Clock },
  input: {
    email: string;
    password: string;
    /** What is counted beside the attempts from a network; left out at the terminal. */
    by?: { ip: string; known: KnownBrowser | undefined };
    /** Left out: of either kind. */
    kind?: PersonKind;
    /** Called after a wrong password for a known person. */
    onRefused?: (person: PersonRow) => void;
  },
): Promise<PersonRow> {
  const email = normalEmail(input.email);
  const counted = countedOf(email, input.by);
  await countAttempts({ queries: database, clock }, ...counted);
  const [found] = await database.query(findPersonByEmail, [email]);
  const isWanted = found?.disabled_at === null && (input.kind === undefined || found.kind === input.kind);
  const person = isWanted ? found : undefined;
  const right = await judgeCounted(database, counted, async () =>
    passwordMatches(input.password, person?.password_hash ?? (await hashOfNobody())),
  );
  if (person === undefined || !right) {
    if (person !== undefined) input.onRefused?.(person);
    throw signInRefused();
  }
  await releaseAttempts(database, ...counted);
  await deleteOldAttempts({ queries: database, clock });
  return person;
}

function countedOf(email: string, by: { ip: string; known: KnownBrowser | undefined } | undefined) {
  if (by === undefined) return [attemptsAtTerminal(email)];
  return [
    attemptsFrom(by.ip),
    by.known === undefined ? attemptsOfAccount(email) : attemptsOfBrowser(by.known.person_id, by.known.device_hash),
  ];
}

const SIGN_IN = { action: 'sign-in', summary: 'Sign in with a password' } as const;

/**
 * Signs a person in with a password. Where they have a second factor the session is pending: it opens nothing until the
 * code was given. The session that the browser had before ends.
 * @throws AppError 401 `SIGN_IN_REFUSED`, 423 `SIGN_IN_LOCKED`, the same whether anybody has the address or not;
 *   503 `OVERLOADED`.
 */
export async function signIn(
  deps: PeopleDeps,
  input: { email: string; password: string; visitor: Visitor; secretBefore: string | undefined },
): Promise<{ next: 'DONE' | 'SECOND_FACTOR'; session: OpenedSession }> {
  const { database, secrets, clock, logger, sessions } = deps;
  const { visitor, secretBefore } = input;
  const refused = { ...SIGN_IN, outcome: 'REFUSED', code: 'SIGN_IN_REFUSED' } as const;
  const person = await checkSignIn(deps, {
    email: input.email,
    password: input.password,
    by: { ip: visitor.ip, known: await findKnownBrowser({ queries: database, secrets }, input.email, visitor) },
    // Not waited for: otherwise the time of the answer would show whether the person exists.
    onRefused: (somebody) => {
      recordAction({ queries: database, clock }, visitor, somebody, refused).catch((error: unknown) => {
        logger.warn({ err: error }, 'a refused sign-in was not recorded');
      });
    },
  });
  const isMfaPending = person.second_factor;
  const stage = isMfaPending ? 'MFA_PENDING' : 'FULL';
  const outcome = isMfaPending ? 'ASKED' : 'DONE';
  const session = await database.transaction(async (tx) => {
    const on = { queries: tx, secrets, clock };
    // A password that was changed since it was compared opens nothing: the change ended every session.
    const still = await tx.query(lockPersonWithPassword, [person.id, person.password_hash]);
    if (still.length === 0) throw signInRefused();
    const opened = await openSession(on, { personId: person.id, stage, passwordGiven: true, visitor, secretBefore });
    await tx.query(updateSessionSeen, [opened.sessionId, clock.now()]);
    await recordAction(on, visitor, person, { ...SIGN_IN, outcome, code: null, sessionId: opened.sessionId });
    if (isMfaPending) return opened;
    return {
      ...opened,
      deviceSecret: await noteDevice(on, person, visitor, { isFirst: person.last_seen_at === null }),
    };
  });
  sessions.forgetSecret(secretBefore);
  return { next: isMfaPending ? 'SECOND_FACTOR' : 'DONE', session };
}

/**
 * Accepts the password of a signed-in person, given again: for some minutes they may do what needs it. The session's
 * secret changes with it; undefined where another request changed it first.
 * @throws AppError 422 `PASSWORD_WRONG`, `SECOND_FACTOR_INVALID`; 400 where the code is missing; 423 `SIGN_IN_LOCKED`.
 */
export async function givePasswordAgain(
  deps: PeopleDeps,
  input: { session: SignedIn; secret: string; password: string; code: string | undefined },
): Promise<{ stepUpUntil: Date; secret: string | undefined }> {
  const { session, password, code } = input;
  if (session.secondFactor && code === undefined) throw invalidField('code', 'is required: your second factor is on');
  await requirePassword(deps, session, password);
  if (session.secondFactor && code !== undefined) await checkCode(deps, { personId: session.personId, code });
  const stepUpUntil = new Date(deps.clock.now().getTime() + STEP_UP_MS);
  const secret = await rotateSecret(deps, { session, secret: input.secret, stepUpUntil });
  return { stepUpUntil, secret };
}

/**
 * A session left open gives five guesses in a quarter of an hour, and no guess elsewhere locks it.
 * @throws AppError 422 `PASSWORD_WRONG`; 423 `SIGN_IN_LOCKED`; 503 `OVERLOADED`.
 */
export async function requirePassword(deps: PeopleDeps, session: SignedIn, password: string): Promise<PersonRow> {
  const { database, clock } = deps;
  const counted = attemptsOfSession(session.sessionId);
  await countAttempts({ queries: database, clock }, counted);
  const [person] = await database.query(findPerson, [session.personId]);
  if (person === undefined) throw personNotFound();
  const right = await judgeCounted(database, [counted], () => passwordMatches(password, person.password_hash));
  if (!right) throw passwordWrong();
  await releaseAttempts(database, counted);
  return person;
}

/** One of the operator's staff who has proved it. */
export interface Operator {
  personId: string;
  email: string;
}

/**
 * Proves at the terminal that a person is one of the operator's staff.
 * @throws AppError 401 `SIGN_IN_REFUSED`, the same for an unknown address, a merchant's person and a wrong password;
 *   423 `SIGN_IN_LOCKED`, also for an address that is nobody's.
 */
export async function authenticateOperator(
  deps: { database: Database; clock: Clock },
  input: { email: string; password: string },
): Promise<Operator> {
  const person = await checkSignIn(deps, { ...input, kind: 'OPERATOR' });
  return { personId: person.id, email: person.email };
}

/**
 * The operator's person with this id, where the caller has the id from elsewhere. @throws AppError 403
 * `OPERATOR_NOT_FOUND`.
 */
export async function requireOperator(queries: Queries, personId: string): Promise<Operator> {
  const [person] = await queries.query(findPerson, [personId]);
  if (person === undefined || person.kind !== 'OPERATOR' || person.disabled_at !== null) throw operatorNotFound();
  return { personId: person.id, email: person.email };
}

/**
 * Makes an MFA pending session full with a code, under a new secret. The password counts as given when the session
 * began.
 * @throws AppError 422 `SECOND_FACTOR_INVALID`; 423 `SIGN_IN_LOCKED`; 401 `SESSION_EXPIRED` where it is whole already.
 */
export async function finishSignIn(
  deps: PeopleDeps,
  input: { session: SignedIn; secret: string; code: string; visitor: Visitor },
): Promise<OpenedSession> {
  const { database, secrets, clock, sessions } = deps;
  const { personId, sessionId, stage, expiresAt } = input.session;
  if (stage !== 'MFA_PENDING') throw sessionExpired();
  await checkCode(deps, { personId, code: input.code });
  const now = clock.now();
  const opened = { sessionId, secret: makeSecret(), expiresAt: new Date(now.getTime() + LIFETIME_MS) };
  const deviceSecret = await database.transaction(async (tx) => {
    const changed = await tx.query(updateSessionFull, [
      sessionId,
      hashesOfSecret(secrets, input.secret),
      hashOfSecret(secrets, opened.secret),
      opened.expiresAt,
      new Date(expiresAt.getTime() - MFA_PENDING_LIFETIME_MS + STEP_UP_MS),
      now,
    ]);
    if (changed.length === 0) throw sessionExpired();
    await tx.query(deleteSurplusSessions, [personId, 'FULL', MAX_SESSIONS_OF_PERSON]);
    const [person] = await tx.query(findPerson, [personId]);
    if (person === undefined) throw sessionExpired();
    return noteDevice({ queries: tx, secrets, clock }, person, input.visitor, { isFirst: false });
  });
  sessions.forget(personId);
  return { ...opened, deviceSecret };
}
