import type { Visitor } from '../../access/index.ts';
import { checkSignIn } from '../check-sign-in.ts';
import type { PeopleDeps } from '../deps.ts';
import { signInRefused } from '../errors.ts';
import { lockPersonWithPassword } from '../queries.ts';
import { recordAction } from '../record-action.ts';
import { noteDevice } from './device.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { updateSessionSeen } from './queries.ts';

const SIGN_IN = { action: 'sign-in', summary: 'Sign in with a password' } as const;

/**
 * Signs somebody in with a password. Where they have a second factor the session is half: it opens nothing until the
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
    ip: visitor.ip,
    // Not waited for: the answer would tell by its time whether there is anybody.
    onRefused: (somebody) => {
      recordAction({ queries: database, clock }, visitor, somebody, refused).catch((error: unknown) => {
        logger.warn({ err: error }, 'a refused sign-in was not recorded');
      });
    },
  });
  const isHalf = person.second_factor;
  const stage = isHalf ? 'HALF' : 'WHOLE';
  const outcome = isHalf ? 'ASKED' : 'DONE';
  const session = await database.transaction(async (tx) => {
    const on = { queries: tx, secrets, clock };
    // A password that was changed since it was compared opens nothing: whoever changed it ended every session.
    const still = await tx.query(lockPersonWithPassword, [person.id, person.password_hash]);
    if (still.length === 0) throw signInRefused();
    const opened = await openSession(on, { personId: person.id, stage, passwordGiven: true, visitor, secretBefore });
    await tx.query(updateSessionSeen, [opened.sessionId, clock.now()]);
    await recordAction(on, visitor, person, { ...SIGN_IN, outcome, code: null, sessionId: opened.sessionId });
    if (isHalf) return opened;
    return {
      ...opened,
      deviceSecret: await noteDevice(on, person, visitor, { isFirst: person.last_seen_at === null }),
    };
  });
  sessions.forgetSecret(secretBefore);
  return { next: isHalf ? 'SECOND_FACTOR' : 'DONE', session };
}
