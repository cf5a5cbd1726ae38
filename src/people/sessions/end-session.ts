import type { Clock } from '../../platform/clock.ts';
import type { Queries } from '../../platform/db/database.ts';
import type { PeopleDeps } from '../deps.ts';
import { sessionNotFound } from '../errors.ts';
import { deleteOldSessions, deleteSession, deleteSessionsOfPerson } from './queries.ts';

/** Ends one session of a person, everywhere within two seconds. @throws AppError 404 `SESSION_NOT_FOUND`. */
export async function endSession(
  { database, sessions }: Pick<PeopleDeps, 'database' | 'sessions'>,
  input: { personId: string; sessionId: string },
): Promise<void> {
  const ended = await database.query(deleteSession, [input.personId, input.sessionId]);
  sessions.forget(input.personId);
  if (ended.length === 0) throw sessionNotFound();
}

/** Ends all sessions of a person but `keep`, in the caller's transaction. Whoever commits it forgets them, too. */
export async function endSessionsOf(queries: Queries, personId: string, keep?: string): Promise<number> {
  return (await queries.query(deleteSessionsOfPerson, [personId, keep ?? null])).length;
}

/** Removes sessions that have ended by themselves. */
export async function sweepSessions({ database, clock }: { database: Queries; clock: Clock }): Promise<number> {
  return (await database.query(deleteOldSessions, [clock.now()])).length;
}
