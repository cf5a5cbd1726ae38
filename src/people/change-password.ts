import type { SignedIn, Visitor } from '../access/index.ts';
import { queueMail } from '../mail/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import type { Tx } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import { attemptsOfAccount, countAttempts, mailsFrom, mailsTo, releaseAttempts } from './attempts.ts';
import type { PeopleDeps } from './deps.ts';
import { emailOf } from './email.ts';
import { linkInvalid, passwordWrong } from './errors.ts';
import { lookAtLink, makeLink, takeLink } from './link.ts';
import { nobodyHereMail, passwordChangedMail, removedMail, resetMail } from './mails.ts';
import { checkPassword, hashPassword } from './password.ts';
import {
  deleteLinksOf,
  findPerson,
  findPersonByEmail,
  lockPersonWithPassword,
  type PersonRow,
  updatePersonPassword,
} from './queries.ts';
import { recordAction } from './record-action.ts';
import { endSessionsOf, rotateSecret } from './session.ts';
import { STEP_UP_MS } from './session-gate.ts';
import { requirePassword } from './sign-in.ts';

const RESET = {
  action: 'password-reset',
  summary: 'Choose a new password by mail',
  outcome: 'DONE',
  code: null,
} as const;

/**
 * Sets a new password by the link of a mail. It ends every session of the person and signs nobody in: a second factor
 * that is on is still asked for. A password that is refused leaves the link valid.
 * @throws AppError 422 `LINK_INVALID`, `PASSWORD_TOO_COMMON`; 400.
 */
export async function resetPassword(
  deps: PeopleDeps,
  input: { token: string; password: string; visitor: Visitor },
): Promise<void> {
  const { database, secrets, clock, sessions } = deps;
  const person = await requireReset(deps, input.token);
  const passwordHash = await newHash(deps, person, input.password, 'password');
  await database.transaction(async (tx) => {
    await takeLink({ queries: tx, secrets, clock }, 'RESET', input.token);
    await keepPassword(deps, tx, person, passwordHash);
    await endSessionsOf(tx, person.id);
    // A reader of the mails has shown more than a password: a lock that a guesser caused does not keep them out.
    await releaseAttempts(tx, attemptsOfAccount(person.email));
    await recordAction({ queries: tx, clock }, input.visitor, person, RESET);
  });
  sessions.forget(person.id);
}

/** The person whose password a link replaces, without using the link. @throws AppError 422 `LINK_INVALID`. */
export async function requireReset({ database, secrets, clock }: PeopleDeps, token: string): Promise<PersonRow> {
  const subjectId = await lookAtLink({ queries: database, secrets, clock }, 'RESET', token);
  const [person] = await database.query(findPerson, [subjectId]);
  if (person === undefined || person.disabled_at !== null) throw linkInvalid();
  return person;
}

/**
 * Sets a new password of a person who is signed in and gives the old one. It ends all other sessions and every link to
 * choose another, and gives this session a new secret; undefined where another request changed it first. Where a second
 * factor is on, a password alone does not count as just given.
 * @throws AppError 422 `PASSWORD_WRONG`, `PASSWORD_TOO_COMMON`; 400; 423 `SIGN_IN_LOCKED`.
 */
export async function changePassword(
  deps: PeopleDeps,
  input: { session: SignedIn; secret: string; password: string; newPassword: string },
): Promise<{ secret: string | undefined }> {
  const { database, clock, sessions } = deps;
  const { session } = input;
  const person = await requirePassword(deps, session, input.password);
  const passwordHash = await newHash(deps, person, input.newPassword, 'newPassword');
  const stepUpUntil = session.secondFactor ? session.stepUpUntil : new Date(clock.now().getTime() + STEP_UP_MS);
  const secret = await database.transaction(async (tx) => {
    const still = await tx.query(lockPersonWithPassword, [person.id, person.password_hash]);
    if (still.length === 0) throw passwordWrong();
    await keepPassword(deps, tx, person, passwordHash);
    await tx.query(deleteLinksOf, [person.id]);
    await endSessionsOf(tx, person.id, session.sessionId);
    return rotateSecret(deps, { session, secret: input.secret, stepUpUntil }, tx);
  });
  sessions.forget(person.id);
  return { secret };
}

async function newHash(deps: PeopleDeps, person: PersonRow, password: string, field: string): Promise<string> {
  const { email, merchant_id: merchantId } = person;
  const merchant = merchantId === null ? undefined : await requireMerchant(deps.database, merchantId);
  await checkPassword(password, { email, businessName: merchant?.business_name }, field);
  return hashPassword(password);
}

async function keepPassword(deps: PeopleDeps, tx: Tx, person: PersonRow, passwordHash: string): Promise<void> {
  const { secrets, clock } = deps;
  const changed = await tx.query(updatePersonPassword, [person.id, passwordHash]);
  if (changed.length === 0) throw linkInvalid();
  await queueMail({ queries: tx, secrets, clock }, passwordChangedMail(person.email, clock.now()));
}

/**
 * Mails a link to choose a new password; or, for an unknown address or a removed person, a mail that says so: the
 * answer and its time are the same.
 * @throws AppError 400 for what is no address; 423 `SIGN_IN_LOCKED` after many from one network or to one address.
 */
export async function forgotPassword(deps: PeopleDeps, input: { email: string; visitor: Visitor }): Promise<void> {
  const { database, secrets, clock } = deps;
  const { baseUrl, ip } = input.visitor;
  const email = emailOf(input.email);
  await countAttempts({ queries: database, clock }, mailsFrom(ip), mailsTo(email));
  const [found] = await database.query(findPersonByEmail, [email]);
  const person = found?.disabled_at === null ? found : undefined;
  await database.transaction(async (tx) => {
    const on = { queries: tx, secrets, clock };
    // For an unknown address the link leads nowhere and is not sent: it only takes its time.
    const made = await makeLink(on, { purpose: 'RESET', subjectId: person?.id ?? newId(), baseUrl });
    const nobody = found === undefined ? nobodyHereMail(email, `${baseUrl}/dashboard/sign-up`) : removedMail(email);
    await queueMail(on, person === undefined ? nobody : resetMail(email, made));
  });
}
