import type { SignedIn } from '../../access/index.ts';
import { invalidField } from '../../platform/errors.ts';
import { attemptsOfAccount, countAttempts, judgeCounted, returnAttempts } from '../attempts.ts';
import type { PeopleDeps } from '../deps.ts';
import { passwordWrong, personNotFound } from '../errors.ts';
import { passwordMatches } from '../hash-in-turn.ts';
import { findPerson, type PersonRow } from '../queries.ts';
import { checkCode } from '../second-factor/check-code.ts';
import { rotateSecret } from './rotate-secret.ts';
import { FRESH_MS } from './session-secret.ts';

/**
 * The password of somebody who is signed in, given again: for some minutes they may do what needs it. The session's
 * secret changes with it; none comes back where another request changed it first.
 * @throws AppError 422 `PASSWORD_WRONG`, `SECOND_FACTOR_INVALID`; 400 where the code is missing; 423 `SIGN_IN_LOCKED`.
 */
export async function givePasswordAgain(
  deps: PeopleDeps,
  input: { session: SignedIn; secret: string; password: string; code: string | undefined },
): Promise<{ freshUntil: Date; secret: string | undefined }> {
  const { session, password, code } = input;
  if (session.secondFactor && code === undefined) throw invalidField('code', 'is required: your second factor is on');
  await requirePassword(deps, session, password);
  if (session.secondFactor && code !== undefined) await checkCode(deps, { personId: session.personId, code });
  const freshUntil = new Date(deps.clock.now().getTime() + FRESH_MS);
  const secret = await rotateSecret(deps, { session, secret: input.secret, freshUntil });
  return { freshUntil, secret };
}

/**
 * Attempts count with those of signing in: a session left open gives nobody more guesses.
 * @throws AppError 422 `PASSWORD_WRONG`; 423 `SIGN_IN_LOCKED`; 503 `OVERLOADED`.
 */
export async function requirePassword(deps: PeopleDeps, session: SignedIn, password: string): Promise<PersonRow> {
  const { database, clock } = deps;
  const counted = attemptsOfAccount(session.email);
  await countAttempts({ queries: database, clock }, counted);
  const [person] = await database.query(findPerson, [session.personId]);
  if (person === undefined) throw personNotFound();
  const right = await judgeCounted(database, [counted], () => passwordMatches(password, person.password_hash));
  if (!right) throw passwordWrong();
  await returnAttempts(database, counted);
  return person;
}
