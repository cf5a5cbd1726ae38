import { type SignedIn, sessionExpired, type Visitor } from '../access/index.ts';
import type { PeopleDeps } from './deps.ts';
import { findPerson } from './queries.ts';
import { checkCode } from './second-factor.ts';
import { MAX_SESSIONS_OF_PERSON, noteDevice, type OpenedSession } from './session.ts';
import { deleteSurplusSessions, updateSessionFull } from './session-queries.ts';
import {
  hashesOfSecret,
  hashOfSecret,
  LIFETIME_MS,
  MFA_PENDING_LIFETIME_MS,
  makeSecret,
  STEP_UP_MS,
} from './session-secret.ts';

/**
 * Makes an MFA pending session full with a code, under a new secret. The password counts as given when the session began.
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
