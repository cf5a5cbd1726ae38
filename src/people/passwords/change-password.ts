import type { SignedIn, Visitor } from '../../access/index.ts';
import { queueMail } from '../../mail/index.ts';
import { requireMerchant } from '../../merchants/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import { attemptsOfAccount, returnAttempts } from '../attempts.ts';
import type { PeopleDeps } from '../deps.ts';
import { linkInvalid, passwordWrong } from '../errors.ts';
import { hashPassword } from '../hash-in-turn.ts';
import { lookAtLink, takeLink } from '../links/link.ts';
import { passwordChangedMail } from '../links/mails.ts';
import { deleteLinksOf } from '../links/queries.ts';
import { checkPassword } from '../password.ts';
import { findPerson, lockPersonWithPassword, type PersonRow, updatePersonPassword } from '../queries.ts';
import { recordAction } from '../record-action.ts';
import { endSessionsOf } from '../sessions/end-session.ts';
import { requirePassword } from '../sessions/give-password-again.ts';
import { rotateSecret } from '../sessions/rotate-secret.ts';
import { FRESH_MS } from '../sessions/session-secret.ts';

const RESET = {
  action: 'password-reset',
  summary: 'Choose a new password by mail',
  outcome: 'DONE',
  code: null,
} as const;

/**
 * A new password by the link of a mail. It ends every session of the person and signs nobody in: where a second factor
 * is on, it is still asked for.
 * @throws AppError 422 `LINK_INVALID`, `PASSWORD_TOO_COMMON`; 400. A password that is refused leaves the link good.
 */
export async function resetPassword(
  deps: PeopleDeps,
  input: { token: string; password: string; visitor: Visitor },
): Promise<void> {
  const { database, secrets, clock, sessions } = deps;
  const subjectId = await lookAtLink({ queries: database, secrets, clock }, 'RESET', input.token);
  const [person] = await database.query(findPerson, [subjectId]);
  if (person === undefined || person.disabled_at !== null) throw linkInvalid();
  const passwordHash = await newHash(deps, person, input.password, 'password');
  await database.transaction(async (tx) => {
    await takeLink({ queries: tx, secrets, clock }, 'RESET', input.token);
    await keepPassword(deps, tx, person, passwordHash);
    await endSessionsOf(tx, person.id);
    // Whoever reads the mails has shown more than a password: a guesser's lock does not keep them out.
    await returnAttempts(tx, attemptsOfAccount(person.email));
    await recordAction({ queries: tx, clock }, input.visitor, person, RESET);
  });
  sessions.forget(person.id);
}

/**
 * A new password of somebody who is signed in and knows the old one. It ends all other sessions and every link to choose
 * another, and gives this one a new secret; none comes back where another request changed it first. Where a second factor
 * is on, a password alone does not count as given again.
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
  const freshUntil = session.secondFactor ? session.freshUntil : new Date(clock.now().getTime() + FRESH_MS);
  const secret = await database.transaction(async (tx) => {
    const still = await tx.query(lockPersonWithPassword, [person.id, person.password_hash]);
    if (still.length === 0) throw passwordWrong();
    await keepPassword(deps, tx, person, passwordHash);
    await tx.query(deleteLinksOf, [person.id]);
    await endSessionsOf(tx, person.id, session.sessionId);
    return rotateSecret(deps, { session, secret: input.secret, freshUntil }, tx);
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
