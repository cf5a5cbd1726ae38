import type { Visitor } from '../../access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Queries } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { cleanedText } from '../../platform/text.ts';
import { deleteSessionBySecret, deleteSurplusSessions, insertSession } from './queries.ts';
import { FRESH_MS, HALF_LIFETIME_MS, hashesOfSecret, hashOfSecret, LIFETIME_MS, makeSecret } from './session-secret.ts';

/** More devices than anybody has; the oldest sign-in makes room. Half sessions are counted by themselves. */
export const MAX_SESSIONS_OF_PERSON = 20;
const MAX_USER_AGENT_LENGTH = 300;

/** A session that a browser may take: the secret is nowhere else. */
export interface OpenedSession {
  sessionId: string;
  secret: string;
  expiresAt: Date;
  /** What the browser keeps beside it; only where somebody is signed in wholly. */
  deviceSecret?: string;
}

/** A new session of somebody who has just proved who they are. The one that their browser had before ends. */
export async function openSession(
  { queries, secrets, clock }: { queries: Queries; secrets: Secrets; clock: Clock },
  input: {
    personId: string;
    stage: 'HALF' | 'WHOLE';
    passwordGiven: boolean;
    visitor: Visitor;
    secretBefore: string | undefined;
  },
): Promise<OpenedSession> {
  const now = clock.now();
  const secret = makeSecret();
  const sessionId = newId();
  const expiresAt = new Date(now.getTime() + (input.stage === 'HALF' ? HALF_LIFETIME_MS : LIFETIME_MS));
  const freshUntil = input.passwordGiven && input.stage === 'WHOLE' ? new Date(now.getTime() + FRESH_MS) : null;
  const { ip, userAgent } = input.visitor;
  await queries.query(insertSession, [
    sessionId,
    input.personId,
    input.stage,
    hashOfSecret(secrets, secret),
    now,
    expiresAt,
    freshUntil,
    ip,
    cleanedText(userAgent.slice(0, MAX_USER_AGENT_LENGTH)),
  ]);
  if (input.secretBefore !== undefined) {
    await queries.query(deleteSessionBySecret, [hashesOfSecret(secrets, input.secretBefore)]);
  }
  await queries.query(deleteSurplusSessions, [input.personId, input.stage, MAX_SESSIONS_OF_PERSON]);
  return { sessionId, secret, expiresAt };
}
